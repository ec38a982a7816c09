import { type Answer, ask, type Exchange, requestOf } from './load.ts'
import { PASSWORD, type Server } from './processes.ts'

/** Expects an answer with this status and, if given, exactly this body. */
export function exactly(request: Buffer, status: number, body?: Buffer): Exchange {
  return {
    request,
    ...(body && { body }),
    check: (answer) => (answer.status === status ? undefined : `status ${answer.status} instead of ${status}`)
  }
}

/** Logs a user in and returns the token. Throws WrongAnswer. */
export async function logIn({ port }: Server, username: string): Promise<string> {
  const body = JSON.stringify({ username, password: PASSWORD })
  const answer = await ask(port, exactly(requestOf('POST', '/api/authenticate', { body }), 200))
  return (JSON.parse(answer.body.toString()) as { id_token: string }).id_token
}

/** Fetches an address, with a request that can be repeated. */
export async function fetched(
  { port }: Server,
  path: string,
  token: string,
  headers: Record<string, string> = {}
): Promise<{ request: Buffer; answer: Answer }> {
  const request = requestOf('GET', path, { token, headers })
  return { request, answer: await ask(port, exactly(request, 200)) }
}

const MARK = '0000000000'

/** Returns a request whose ten digits, placed by `numbered`, differ each time, without building it again. */
export function numbered(build: (number: string) => Buffer): () => Buffer {
  const model = build(MARK)
  const places: number[] = []
  for (let at = model.indexOf(MARK); at >= 0; at = model.indexOf(MARK, at + MARK.length)) places.push(at)
  let number = 0
  return () => {
    const request = Buffer.from(model)
    const digits = String(++number).padStart(MARK.length, '0')
    for (const place of places) request.write(digits, place, 'latin1')
    return request
  }
}
