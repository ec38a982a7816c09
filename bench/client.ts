import { seeded, smallNetwork } from './graphs.ts'
import { type Answer, ask, type Exchange, requestOf } from './load.ts'
import { PASSWORD, type Server } from './processes.ts'

/** Expects a response with this status and, if given, exactly this body. */
export function exactly(request: Buffer, status: number, body?: Buffer): Exchange {
  return {
    request,
    ...(body && { body }),
    check: (answer) => (answer.status === status ? undefined : `status ${answer.status} instead of ${status}`)
  }
}

/** Signs a user in. Returns the token. Throws WrongAnswer. */
export async function logIn({ port }: Server, username: string): Promise<string> {
  const body = JSON.stringify({ username, password: PASSWORD })
  const answer = await ask(port, exactly(requestOf('POST', '/api/authenticate', { body }), 200))
  return (JSON.parse(answer.body.toString()) as { id_token: string }).id_token
}

/** Fetches a path. Returns the response, along with an exchange that repeats the request and expects the same body. */
export async function fetched(
  { port }: Server,
  path: string,
  token: string,
  headers: Record<string, string> = {}
): Promise<{ answer: Answer; get: Exchange }> {
  const request = requestOf('GET', path, { token, headers })
  const answer = await ask(port, exactly(request, 200))
  return { answer, get: exactly(request, 200, answer.body) }
}

/** Creates a graph. Returns its id. */
export async function createGraph({ port }: Server, token: string, graph: object): Promise<number> {
  const body = JSON.stringify(graph)
  const { body: created } = await ask(port, exactly(requestOf('POST', '/api/graphs', { token, body }), 201))
  return (JSON.parse(created.toString()) as { id: number }).id
}

/** Returns the number of entries in a list. */
export async function totalOf({ port }: Server, token: string, path: string) {
  const { head } = await ask(port, exactly(requestOf('GET', `${path}?size=1`, { token }), 200))
  return Number(/^x-total-count: (\d+)/im.exec(String(head))?.[1])
}

const MARK = '0000000000'

/** Returns a function that returns the request with a different ten-digit number each time, without rebuilding it. */
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

/** Returns requests that create small graphs with different names. */
export function creations(token: string): () => Exchange {
  const content = smallNetwork(0)
  const next = numbered((number) =>
    requestOf('POST', '/api/graphs', { token, body: JSON.stringify({ name: `Line ${number}`, type: 'LINE', content }) })
  )
  return () => exactly(next(), 201)
}

/** Returns a mix of requests: 70 % fetch a graph, 20 % fetch a page, and 10 % make a change. */
export function mixOf(getOne: Exchange, getPage: Exchange, change: () => Exchange): () => Exchange {
  const random = seeded()
  return () => {
    const dice = random()
    return dice < 0.7 ? getOne : dice < 0.9 ? getPage : change()
  }
}
