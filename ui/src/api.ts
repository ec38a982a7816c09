import createClient from 'openapi-fetch'
import type { components, operations, paths } from '../../clients/typescript/src/generated.ts'
import { checkConnection, noteAnswer } from './connection.ts'

/** The schemas in the OpenAPI document. */
type Schemas = components['schemas']
export type User = Schemas['User']
export type Role = User['role']
export type Graph = Schemas['Graph']
export type GraphRecord = Schemas['GraphRecord']
export type GraphContent = Schemas['GraphContent']
/** The content of an empty graph. */
export const emptyContent: GraphContent = { directed: true, nodes: [], edges: [] }
export type ContentPatch = Schemas['ContentPatch']
export type Node = Schemas['Node']
export type Edge = Schemas['Edge']
export type GraphLayout = Schemas['GraphLayout']
export type GraphView = Schemas['GraphView']
export type GraphVersion = Schemas['GraphVersion']
export type GraphDiff = Schemas['GraphDiff']
export type FileDiff = Schemas['FileDiff']
export type ContentDiff = Schemas['ContentDiff']
export type Change = Schemas['Change']
export type Session = Schemas['Session']
export type ApiToken = Schemas['ApiToken']
export type GraphSummary = Schemas['GraphSummary']
export type SearchResult = Schemas['SearchResult']
export type SearchMatch = Schemas['SearchMatch']
export type Scope = ApiToken['scopes'][number]
export type Group = Schemas['Group']
export type Grant = Schemas['Grant']
export type Style = Schemas['Style']
export type SavedView = Schemas['SavedView']
export type Link = Schemas['Link']
export type LinkPatch = Schemas['LinkPatch']
export type LinkedGraph = Schemas['LinkedGraph']
export type GrantedAccess = Grant['access']
export type TrashedGraph = Schemas['TrashedGraph']
export type AuditEvent = Schemas['AuditEvent']
export type ImportReport = Schemas['ImportReport']
export type ImportTable = Schemas['ImportTable']
export type Fault = Schemas['Fault']
export type AuditQuery = NonNullable<operations['listAudits']['parameters']['query']>
export type AuditFormat = NonNullable<NonNullable<operations['exportAudits']['parameters']['query']>['format']>
export type GroupQuery = NonNullable<operations['listGroups']['parameters']['query']>
export type GraphQuery = NonNullable<operations['listGraphs']['parameters']['query']>

/** The API client, typed according to the OpenAPI document. The browser adds the session cookie. */
export const api = createClient<paths>({ credentials: 'same-origin' })

/** A problem reported by the API (RFC 9457). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly faults: Fault[]
  readonly requestId: string | undefined

  constructor(status: number, { code, title, detail, errors, instance }: Partial<Schemas['Problem']>) {
    super(detail ?? title ?? `HTTP ${status}`)
    this.status = status
    this.code = code ?? 'unknown'
    this.faults = errors ?? []
    this.requestId = instance?.replace('urn:uuid:', '')
  }
}

/** Returns whether the error is a problem with this code. */
export function isProblem(error: unknown, code: string): boolean {
  return error instanceof Problem && error.code === code
}

/** Thrown if the server cannot be reached or sends no response. Checks the connection, so that the app tells the user. */
export class Unreachable extends Error {
  constructor(options?: ErrorOptions) {
    super('unreachable', options)
    checkConnection()
  }
}

interface Answer<T> {
  data?: T | undefined
  error?: unknown
  response: Response
}

/** Awaits the response. Throws Problem or Unreachable. */
export async function expectAnswer<T>(asking: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asking.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new Unreachable({ cause })
  })
  if (isFromProxy(answer)) throw new Unreachable()
  noteAnswer()
  if (answer.response.ok) return answer
  throw new Problem(answer.response.status, (answer.error ?? {}) as object)
}

/** Returns whether a proxy has responded because it cannot reach the server. The server itself always sends a problem. */
function isFromProxy({ response: { status }, error }: Answer<unknown>) {
  return [502, 503, 504].includes(status) && (error as Partial<Schemas['Problem']> | undefined)?.code === undefined
}

/** Awaits the body of the response. Throws Problem or Unreachable. */
export async function take<T>(asking: Promise<Answer<T>>): Promise<T> {
  return (await expectAnswer(asking)).data as T
}

export interface Page<T> {
  rows: T[]
  total: number
}

/** Awaits a page of a cursor-paginated list. Returns its rows and the next cursor. Throws Problem or Unreachable. */
export async function takeNext<T>(asking: Promise<Answer<T[]>>): Promise<{ rows: T[]; next: string | undefined }> {
  const { data = [], response } = await expectAnswer(asking)
  return { rows: data, next: response.headers.get('x-next-cursor') ?? undefined }
}

/** Awaits a page of a list, and also returns the total number of records. Throws Problem or Unreachable. */
export async function takePage<T>(asking: Promise<Answer<T[]>>): Promise<Page<T>> {
  const { data = [], response } = await expectAnswer(asking)
  return { rows: data, total: Number(response.headers.get('x-total-count') ?? data.length) }
}
