import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api, expectAnswer, type FileDiff, type GraphQuery, type GraphRecord, take, takePage } from '../api.ts'
import { queries } from '../queries.ts'
import { notifyFailure } from '../shared/notify.ts'
import type { Choices } from './choices.ts'
import { importFile } from './import.ts'

/** The prefix of the query keys of all graph data, including the trash. Any change invalidates all of it. */
export const GRAPHS = ['graphs']

export function refreshGraphs() {
  return queries.invalidateQueries({ queryKey: GRAPHS })
}

/** Returns a page of graphs that the user can read. */
export function useGraphs(query: GraphQuery) {
  return useQuery({
    queryKey: [...GRAPHS, 'list', query],
    queryFn: ({ signal }) => takePage(api.GET('/api/graphs', { params: { query }, signal })),
    placeholderData: keepPreviousData
  })
}

/** Returns whether the user may change the graph and its content. */
export function mayChange({ access }: Pick<GraphRecord, 'access'>) {
  return access !== 'READ'
}

/** Returns whether the user may also share and delete the graph. */
export function mayManage({ access }: Pick<GraphRecord, 'access'>) {
  return access === 'OWNER'
}

export interface Description {
  name: string
  /** Empty if there is no key. Only owners can change it. */
  key: string
  type: string
  description: string
  tags: string[]
}

/** A graph to create, which is empty unless a file is given. */
interface Creation extends Description {
  shared: boolean
  file: File | undefined
  /** The user's choices for reading the file. */
  choices: Choices
  signal: AbortSignal
}

/** Creates a graph. */
export function useCreateGraph() {
  return useMutation({
    mutationFn: createGraph,
    onSuccess: refreshGraphs
  })
}

async function createGraph({ name, type, description, tags, shared, file, choices, signal }: Creation) {
  if (!file) {
    const body = { name, type: type || null, description: description || null, tags, shared }
    return take(api.POST('/api/graphs', { body, signal }))
  }
  // Proxies reject URLs longer than a few thousand characters.
  const isShort = encodeURIComponent(description).length <= 4000
  const described = { name, shared, ...(type && { type }), ...(description && isShort && { description }) }
  const graph = await importFile({ file, signal }, { ...choices, ...described })
  // The import request has no parameter for tags.
  const rest = { ...(!isShort && { description }), ...(tags.length > 0 && { tags }) }
  if (Object.keys(rest).length === 0) return graph
  return patchGraph({ graph, changes: rest }).catch((error: unknown) => {
    // The graph has already been created, so a retry would create another one.
    notifyFailure(error)
    return graph
  })
}

/** Changes these fields of the graph, unless someone else has changed the graph. */
export function patchGraph({ graph, changes }: { graph: GraphRecord; changes: Partial<Description> }) {
  const { name, key, type, description, tags } = changes
  return take(
    api.PATCH('/api/graphs/{id}', {
      params: { path: { id: graph.id } },
      body: {
        version: graph.version,
        ...(name !== undefined && { name }),
        ...(key !== undefined && { key: key || null }),
        ...(type !== undefined && { type: type || null }),
        ...(description !== undefined && { description: description || null }),
        ...(tags !== undefined && { tags })
      }
    })
  )
}

/** Returns a file as a request body. The server detects its format. */
function fileBody(file: File) {
  return {
    body: file as unknown as string,
    bodySerializer: (body: unknown) => body as File,
    headers: { 'content-type': 'application/octet-stream' }
  }
}

const numbers = new WeakMap<File, number>()
let last = 0

/** Returns an id for a File that is unique in this window. Files with equal names, sizes and times may differ. */
export function numberOf(file: File): number {
  const known = numbers.get(file) ?? ++last
  numbers.set(file, known)
  return known
}

/** Compares the content of a graph with a file. Returns the report, the difference, and the ETag of the compared state. */
export function useComparison(id: number, file: File | undefined, choices: Choices) {
  return useQuery({
    queryKey: ['comparison', id, file && numberOf(file), choices],
    queryFn: async ({ signal }) => {
      if (!file) throw new Error('no file is chosen')
      const asking = api.POST('/api/graphs/{id}/diff', {
        params: { path: { id }, query: { ...choices, limit: 200 } },
        ...fileBody(file),
        signal
      })
      const { data, response } = await expectAnswer(asking)
      return { ...(data as FileDiff), etag: response.headers.get('etag') ?? '' }
    },
    enabled: file !== undefined,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY
  })
}

interface Replacement {
  id: number
  file: File
  choices: Choices
  /** The ETag of the state to replace. */
  etag: string
  signal: AbortSignal
}

/** Replaces the content of a graph with a file, unless someone else has changed the graph. */
export function useReplaceContent() {
  return useMutation({
    mutationFn: ({ id, file, choices, etag, signal }: Replacement) => {
      const { headers, ...body } = fileBody(file)
      return take(
        api.PUT('/api/graphs/{id}/content', {
          params: { path: { id }, query: choices, header: { 'if-match': etag } },
          ...body,
          headers: { ...headers, 'if-match': etag },
          signal
        })
      )
    },
    onSuccess: refreshGraphs
  })
}

/** Makes all edges of a graph directed or undirected, unless someone else has changed the graph. */
export function useSetDirection() {
  return useMutation({
    mutationFn: ({ graph: { id, version }, directed }: { graph: GraphRecord; directed: boolean }) =>
      take(api.PATCH('/api/graphs/{id}/content', { params: { path: { id } }, body: { version, directed } })),
    onSuccess: refreshGraphs
  })
}

/** Moves a graph to the trash. */
export function useDeleteGraph() {
  return useMutation({
    mutationFn: ({ id }: GraphRecord) => take(api.DELETE('/api/graphs/{id}', { params: { path: { id } } })),
    onSuccess: refreshGraphs
  })
}

/** Restores a graph from the trash. */
export function useRestoreTrashed() {
  return useMutation({
    mutationFn: ({ id }: { id: number }) => take(api.POST('/api/trash/{id}/restore', { params: { path: { id } } })),
    onSuccess: refreshGraphs
  })
}
