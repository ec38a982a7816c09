import { type LogSource, Unreadable } from '../../audit/source.ts'
import { pathOf } from '../../audit/tiles.ts'
import { fetchAnswer, Refused, type RemoteServer, refusalIn, Unreachable } from '../remote/server.ts'
import { LONGEST_BUNDLE, LONGEST_TEXT, LONGEST_TILE } from './folder.ts'

/** Returns the log of a server. Nothing of it is trusted. */
export function serverSource(server: RemoteServer): LogSource {
  /** The number of events on the server, asked for when the checkpoint was read. */
  let events: number | undefined

  /** Returns the body; undefined if the server answers 404. Throws Unreadable. */
  async function get(path: string, longest: number): Promise<Buffer | undefined> {
    const answer = await ask(server, `management/audits/log/${path}`, longest)
    if (answer.status === 404) return
    if (answer.status >= 300) throw new Unreadable(refusalIn(answer).message)
    return answer.body
  }

  return {
    async checkpoint() {
      const body = await get('checkpoint', LONGEST_TEXT)
      if (!body) throw new Unreadable(`${server.url.host} has no checkpoint: is it a server of Graphstead?`)
      events = await countEvents(server)
      return body.toString()
    },
    key: async () => (await get('key', LONGEST_TEXT))?.toString(),
    tile: (place) => get(pathOf(place), LONGEST_TILE),
    bundle: (place) => get(pathOf(place), LONGEST_BUNDLE),
    pending: async (size, firstIndex) => events && Math.max(0, events - (size - firstIndex))
  }
}

/** Returns the number of events by the server's word; undefined if it does not tell. Throws Unreadable. */
async function countEvents(server: RemoteServer): Promise<number | undefined> {
  const { headers } = await ask(server, 'management/audits?size=1', LONGEST_TEXT)
  const count = String(headers['x-total-count'])
  return /^\d{1,15}$/.test(count) ? Number(count) : undefined
}

async function ask(server: RemoteServer, path: string, longest: number) {
  try {
    return await fetchAnswer(server, { method: 'GET', path }, longest)
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) throw new Unreadable(error.message)
    throw error
  }
}
