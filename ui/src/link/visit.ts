import createClient from 'openapi-fetch'
import type { paths } from '../../../clients/typescript/src/generated.ts'
import { emptyContent, type GraphContent, type LinkedGraph, Problem, take } from '../api.ts'
import { fetchFile, type GraphFile, type MediaType } from '../graphs/formats.ts'
import { type LoadLayout, layoutFrom } from '../layout/server-layout.ts'

/** The API client for visitors, which sends no cookies. */
const api = createClient<paths>({ credentials: 'omit' })

/** How long before expiry a token is renewed, in milliseconds. */
const MARGIN = 60_000

/** Thrown if the server throttles attempts to open the link. */
export class Slowed extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('slowed down')
    this.seconds = seconds
  }
}

export interface Visit {
  /** Fetches the link's graph and its content. */
  fetchGraph: (password?: string) => Promise<{ graph: LinkedGraph; content: GraphContent }>
  fetchFile: (mediaType: MediaType) => Promise<GraphFile>
  loadLayout: LoadLayout
}

/**
 * Returns a visit to the link with this public id. The visit opens the link with its secret, and opens it again before the
 * token expires. The secret, password and token stay in memory. The visit's functions throw Problem, Unreachable or Slowed.
 */
export function visitOf(publicId: string, secret: string): Visit {
  const params = { path: { publicId } }
  let password: string | undefined
  let token = { text: '', until: 0 }

  async function open(): Promise<string> {
    const body = { secret, ...(password !== undefined && { password }) }
    const opening = api.POST('/api/links/{publicId}/open', { params, body })
    const opened = await take(opening).catch(async (error: unknown) => {
      if (!(error instanceof Problem) || error.status !== 429) throw error
      throw new Slowed(Number((await opening).response.headers.get('retry-after') ?? 1))
    })
    token = { text: opened.token, until: Date.now() + opened.expires_in * 1000 - MARGIN }
    return token.text
  }

  /** Sends a request with a token. If the link's password has changed, retries with a new token. */
  async function ask<T>(request: (headers: { authorization: string }) => Promise<T>): Promise<T> {
    const isKept = Date.now() < token.until
    const authorization = `Bearer ${isKept ? token.text : await open()}`
    return request({ authorization }).catch(async (error: unknown) => {
      if (!isKept || !(error instanceof Problem) || error.status !== 401) throw error
      return request({ authorization: `Bearer ${await open()}` })
    })
  }

  return {
    fetchGraph: async (typed) => {
      if (typed !== undefined) password = typed
      const graph = await ask((headers) => take(api.GET('/api/links/{publicId}/graph', { params, headers })))
      const content = await ask((headers) => take(api.GET('/api/links/{publicId}/content', { params, headers })))
      return { graph, content: (content as GraphContent | undefined) ?? emptyContent }
    },
    loadLayout: (signal) =>
      ask((headers) => layoutFrom(() => api.GET('/api/links/{publicId}/layout', { params, headers, signal }), signal)),
    fetchFile: (mediaType) =>
      ask((headers) =>
        fetchFile(`/api/links/${publicId}/content`, { headers: { ...headers, accept: mediaType }, credentials: 'omit' })
      )
  }
}
