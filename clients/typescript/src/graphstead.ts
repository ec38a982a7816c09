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
  TagCount,
  TagQuery,
  TrashedGraph,
  User,
  UserQuery,
  VersionQuery,
  WrittenFormat
} from './schemas.ts'
import { createTransport, type GraphsteadOptions } from './transport.ts'

/** A graph in a format, and the losses of its conversion: their number by their code. */
export interface GraphFile {
  text: string
  mediaType: string
  losses: Record<string, number>
  /** Names this state of the graph, for `ifMatch`. */
  etag: string
}

/** A server, as a user. */
export class Graphstead {
  /** The address of the server, without a slash at its end. */
  readonly url: string
  /** All operations of the API, typed by its OpenAPI document. They throw `ProblemError`, and repeat as the other methods do. */
  readonly api: Client<paths>

  /** Takes the address of the server, such as `https://graphs.example.org`. */
  constructor(url: string | URL, options: GraphsteadOptions = {}) {
    const { protocol, origin, pathname, username, password } = new URL(url)
    if (!/^https?:$/.test(protocol)) throw new TypeError('The address of a server begins with https:// or http://.')
    if (username || password) throw new TypeError('The address of a server has no password: give a token instead.')
    this.url = `${origin}${pathname}`.replace(/\/+$/, '')
    const send = createTransport(this.url, options)
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

  /** Returns the content of a graph, or with `format` its file in this format. */
  pull(id: number, options?: ListOptions): Promise<GraphContent>
  pull(id: number, options: ListOptions & { format: WrittenFormat }): Promise<GraphFile>
  async pull(id: number, { format, ...options }: ListOptions & { format?: WrittenFormat } = {}) {
    if (format === undefined) {
      const { data } = await this.api.GET('/api/graphs/{id}', { params: { path: { id } }, ...options })
      return data?.content
    }
    const params = { path: { id }, query: { format } }
    const { data, response } = await this.api.GET('/api/graphs/{id}/content', { params, parseAs: 'text', ...options })
    return { text: String(data), ...headersOf(response) }
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

  /** Yields the versions of a graph. */
  versions(id: number, query: VersionQuery = {}, options: ListOptions = {}): AsyncGenerator<GraphVersion, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => {
      const params = { path: { id }, query: { ...filters, cursor } }
      return this.api.GET('/api/graphs/{id}/versions', { params, ...options })
    })
  }

  /** Yields the tags of the graphs that the user may read, with the number of their graphs. */
  tags(query: TagQuery = {}, options: ListOptions = {}): AsyncGenerator<TagCount, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/tags', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields the groups that the user may see. */
  groups(query: GroupQuery = {}, options: ListOptions = {}): AsyncGenerator<Group, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/groups', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields all users, for administrators. */
  users(query: UserQuery = {}, options: ListOptions = {}): AsyncGenerator<User, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) => this.api.GET('/api/users', { params: { query: { ...filters, cursor } }, ...options }))
  }

  /** Yields audit events, for auditors and administrators. */
  audits(query: AuditQuery = {}, options: ListOptions = {}): AsyncGenerator<AuditEvent, void> {
    const filters = { size: PAGE_SIZE, ...query }
    return walk((cursor) =>
      this.api.GET('/management/audits', { params: { query: { ...filters, cursor } }, ...options })
    )
  }
}

/** Writes tags as the list of the API. */
function tagFilter(tags: GraphQuery['tags']) {
  return tags === undefined ? {} : { tags: typeof tags === 'string' ? tags : tags.join() }
}

/** Reads the headers of a graph in a format. */
function headersOf({ headers }: Response): Omit<GraphFile, 'text'> {
  const losses = (headers.get('graphstead-loss') ?? '').matchAll(/([\w-]+);n=(\d+)/g)
  return {
    mediaType: headers.get('content-type')?.split(';')[0] ?? '',
    losses: Object.fromEntries([...losses].map(([, code, count]) => [code, Number(count)])),
    etag: headers.get('etag') ?? ''
  }
}
