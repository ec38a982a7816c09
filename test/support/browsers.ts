import type { Reply } from './helper.ts'

/** The header that a browser sends with requests from a page of the server. */
export const samePage = { 'sec-fetch-site': 'same-origin' }

/** Returns the first cookie that a response sets, as a browser sends it back. */
export function cookieOf({ headers }: Pick<Reply, 'headers'>): string {
  return String([headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
}
