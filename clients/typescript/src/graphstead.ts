import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './generated.ts'
import { type ListOptions, PAGE_SIZE, walk } from './pages.ts'
import type {
  AuditEvent,
  AuditQuery,
  GraphContent,
  GraphQuery,
  GraphRecord,
  GraphVersion,
  Group,
  GroupQuery,
  PushQuery,
  TagCount,
  TagQuery,
  TrashedGraph,
  User,
  UserQuery,
  VersionQuery,
  WrittenFormat
} from './schemas.ts'
import { createTransport, type GraphsteadOptions, type Send } from './transport.ts'

/** A graph as a file, and the number of conversion losses per code. */
export interface GraphFile {
  text: string
  mediaType: string
  losses: Record<string, number>
}

/** Content as an object, or a file in any format that the server reads, which may be compressed with gzip, zstd or zip. */
export type Pushable = GraphContent | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string

/** Options for a push. By default, the format is detected. `name`, `type`, `description` and `shared` apply to a new graph. */
export interface PushOptions extends PushQuery, ListOptions {
  /** The `etag` from an earlier response. The push is refused (412) if the graph has changed since. */
  ifMatch?: string
  /** The timeout of this push in milliseconds, instead of the client's. */
  timeout?: number
}

/** A graph's record, without its content. */
export interface Found {
  graph: GraphRecord
  /** The state of the graph, for `ifMatch`. */
  etag: string
}

/** The result of a push. */
export interface Pushed extends Found {
  /** Whether the push created the graph. */
  created: boolean
  /** The number of losses per code when the file was converted to a graph. */
  losses: Record<string, number>
}

/** A client for a server, acting as one user. */
export class Graphstead {
  /** The address of the server, without a trailing slash. */
  readonly url: string
  /** All operations of the API, typed by its OpenAPI document. They throw `ProblemError`, and retry like the other methods. */
  readonly api: Client<paths>
  readonly #send: Send

  /** `url` is the address of the server, such as `https://graphs.example.org`. */
  constructor(url: string | URL, options: GraphsteadOptions = {}) {
    const { protocol, origin, pathname, username, password } = new URL(url)
    if (!/^https?:$/.test(protocol))
      throw new TypeError('The address of the server must begin with https:// or http://.')
    if (username || password)
      throw new TypeError('The address of the server must not contain a username or password: use a token.')
    this.url = `${origin}${pathname}`.replace(/\/+$/, '')
    const send = createTransport(this.url, options)
    this.#send = send
    this.api = createClient<paths>({
      baseUrl: this.url,
      fetch: async (request: Request) => {
        const { url, method, headers, signal } = request
        const isIdempotent = method === 'GET' || method === 'HEAD'
        const body = isIdempotent ? undefined : await request.arrayBuffer()
        return send(url, { method, headers, signal, isIdempotent, body: body?.byteLength ? body : undefined })
      }
    })
  }

  /** Creates the user's graph with this key, or replaces its content. Pushing identical content has no effect. */
  async push(key: string, file: Pushable, options: PushOptions = {}): Promise<Pushed> {
    const { ifMatch, signal, timeout, ...query } = options
    const settings = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
    const response = await this.#send(
      `${this.url}/api/account/graphs/${encodeURIComponent(key)}/content?${new URLSearchParams(settings)}`,
      {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
        body: isContent(file) ? JSON.stringify(file) : file,
        // If a conditional push succeeded, a retry would fail its condition.
        isIdempotent: ifMatch === undefined,
        signal,
        timeout
      }
    )
    const graph = (await response.json()) as GraphRecord
    return { graph, created: response.status === 201, losses: lossesOf(response), etag: etagOf(response) }
  }

  /** Returns the record of the user's graph with this key. */
  async find(key: string, options: ListOptions = {}): Promise<Found> {
    const params = { path: { key } }
    const { data, response } = await this.api.GET('/api/account/graphs/{key}', { params, ...options })
    return { graph: expectBody(data), etag: etagOf(response) }
  }

  /** Returns the content of a graph, or a file in `format`, given the graph's id or the user's key. */
  pull(idOrKey: number | string, options?: ListOptions): Promise<GraphContent>
  pull(idOrKey: number | string, options: ListOptions & { format: WrittenFormat }): Promise<GraphFile>
  async pull(idOrKey: number | string, { format, ...options }: ListOptions & { format?: WrittenFormat } = {}) {
    const id = await this.#idOf(idOrKey, options)
    if (format === undefined) {
      const { data } = await this.api.GET('/api/graphs/{id}', { params: { path: { id } }, ...options })
      return expectBody(data).content
    }
    const params = { path: { id }, query: { format } }
    const { data, response } = await this.api.GET('/api/graphs/{id}/content', { params, parseAs: 'text', ...options })
    const mediaType = response.headers.get('content-type')?.split(';')[0] ?? ''
    return { text: String(data), mediaType, losses: lossesOf(response) }
  }

  /** Yields the records of the graphs that the user may read. */
  graphs({ tags, ...query }: GraphQuery = {}, options: ListOptions = {}): AsyncGenerator<GraphRecord, void> {
    const filters = { size: PAGE_SIZE, ...query, ...tagFilter(tags) }
    return walk((cursor) => this.api.GET('/api/graphs', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields the graphs in the trash that the user may see. */
  trash({ tags, ...query }: GraphQuery = {}, options: ListOptions = {}): AsyncGenerator<TrashedGraph, void> {
    const filters = { size: PAGE_SIZE, ...query, ...tagFilter(tags) }
    return walk((cursor) => this.api.GET('/api/trash', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields the versions of a graph, given its id or the user's key. */
  async *versions(
    idOrKey: number | string,
    query: VersionQuery = {},
    options: ListOptions = {}
  ): AsyncGenerator<GraphVersion, void> {
    const id = await this.#idOf(idOrKey, options)
    const filters = { size: PAGE_SIZE, ...query }
    yield* walk((cursor) => {
      const params = { path: { id }, query: { ...filters, cursor } }
      return this.api.GET('/api/graphs/{id}/versions', { params, ...options })
    })
  }

  /** Yields the tags of the graphs that the user may read, with the number of graphs for each. */
  tags(query: TagQuery = {}, options: ListOptions = {}): AsyncGenerator<TagCount, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/tags', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields the groups that the user may see. */
  groups(query: GroupQuery = {}, options: ListOptions = {}): AsyncGenerator<Group, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/groups', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields all users. Requires administrator rights. */
  users(query: UserQuery = {}, options: ListOptions = {}): AsyncGenerator<User, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/users', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields audit events. Requires auditor or administrator rights. */
  audits(query: AuditQuery = {}, options: ListOptions = {}): AsyncGenerator<AuditEvent, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) =>
      this.api.GET('/management/audits', { params: { query: { ...filters, cursor } }, ...options })
    )
  }

  async #idOf(idOrKey: number | string, options: ListOptions) {
    return typeof idOrKey === 'number' ? idOrKey : (await this.find(idOrKey, options)).graph.id
  }
}

/** Returns the query parameter for tags, which the API expects as a comma-separated list. */
function tagFilter(tags: GraphQuery['tags']) {
  return tags === undefined ? {} : { tags: typeof tags === 'string' ? tags : tags.join() }
}

/** Returns the number of losses by code, from the header of the response. */
function lossesOf({ headers }: Response): Record<string, number> {
  const losses = (headers.get('graphstead-loss') ?? '').matchAll(/([\w-]+);n=(\d+)/g)
  return Object.fromEntries([...losses].map(([, code, count]) => [code, Number(count)]))
}

/** Returns the ETag of the response, or an empty string. */
function etagOf({ headers }: Response) {
  return headers.get('etag') ?? ''
}

/** Returns whether the value is content rather than a file. */
function isContent(file: Pushable): file is GraphContent {
  return typeof file === 'object' && 'nodes' in file
}

/** Returns the body of a successful response. Throws if it is missing. */
function expectBody<Body>(body: Body | undefined): Body {
  if (body === undefined) throw new TypeError('The response is empty.')
  return body
}
