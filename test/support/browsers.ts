import type { Reply } from './helper.ts'

/** The header that a browser sends from a page of the server. */
export const samePage = { 'sec-fetch-site': 'same-origin' }

/** The first cookie that a response sets, as a browser returns it. */
export function cookieOf({ headers }: Pick<Reply, 'headers'>): string {
  return String([headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
}
