import { readHead } from '../../audit/checkpoint.ts'
import { NoteError, splitNote } from '../../audit/note.ts'
import { type LogSource, Unreadable } from '../../audit/source.ts'
import { pathOf } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'
import { fetchAnswer, Refused, type RemoteServer, refusalIn, Unreachable } from '../remote/server.ts'
import { LONGEST_BUNDLE, LONGEST_TEXT, LONGEST_TILE } from './folder.ts'

/** The maximum number of bytes read from a log. */
const MOST_BYTES = 16 * 2 ** 30

/**
 * Returns the log of a server. The server is untrusted, and so is the size that it claims. Reading throws Unreadable after
 * `within` milliseconds.
 */
export function serverSource(server: RemoteServer, within = Number.POSITIVE_INFINITY): LogSource {
  const deadline = performance.now() + within
  let size = 0
  let bytes = 0
  /** The number of events on the server when the checkpoint was read. */
  let events: number | undefined

  /** Returns the body, or undefined if the server responds with 404. Throws Unreadable. */
  async function get(path: string, longest: number): Promise<Buffer | undefined> {
    if (performance.now() > deadline)
      throw tooLarge(`more than can be read within ${within / 1000} s: increase --within`)
    const answer = await ask(server, `management/audits/log/${path}`, longest)
    bytes += answer.body.length
    if (bytes > MOST_BYTES) throw tooLarge(`more than ${MOST_BYTES} bytes`)
    if (answer.status === 404) return
    if (answer.status >= 300) throw new Unreadable(refusalIn(answer).message)
    return answer.body
  }

  function tooLarge(what: string) {
    return new Unreadable(`${server.url.host} reports a log of ${size} entries, ${what}`)
  }

  return {
    async checkpoint() {
      const body = await get('checkpoint', LONGEST_TEXT)
      if (!body) throw new Unreadable(`${server.url.host} has no checkpoint: is it a Graphstead server?`)
      events = await countEvents(server)
      const note = body.toString()
      size = sizeIn(note)
      // To read the whole log, we must read at least one hash per entry.
      if (Number.isFinite(within) && size * HASH_LENGTH > MOST_BYTES) throw tooLarge(`more than ${MOST_BYTES} bytes`)
      return note
    },
    key: async () => (await get('key', LONGEST_TEXT))?.toString(),
    tile: (place) => get(pathOf(place), LONGEST_TILE),
    bundle: (place) => get(pathOf(place), LONGEST_BUNDLE),
    pending: async (size, firstIndex) => events && Math.max(0, events - (size - firstIndex))
  }
}

/** Returns the size of the tree, or 0 if the note is malformed, which the verification reports. */
function sizeIn(note: string): number {
  try {
    return readHead(splitNote(note).text).size
  } catch (error) {
    if (error instanceof NoteError) return 0
    throw error
  }
}

/** Returns the number of events that the server reports, or undefined if it does not report a number. Throws Unreadable. */
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
