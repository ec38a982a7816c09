const pair = {
  nodes: [{ id: 'a', metadata: { colour: 'red', rank: 2 } }, { id: 'b' }],
  edges: [{ source: 'a', target: 'b' }]
}

/** A graph as a client returns it. */
interface Created {
  id: number
  version: number
  content?: { nodes: { metadata?: object }[] }
}

/** The operations of a generated client that the tour calls. Each returns the parsed response, or throws. */
export interface Tour {
  logIn(username: string, password: string): Promise<string>
  create(token: string, name: string, content: typeof pair): Promise<{ graph: Created; etag: string | null }>
  list(token: string): Promise<{ name: string }[]>
  import(token: string, file: File, name: string, dryRun: boolean): Promise<{ id?: number; nodeCount: number }>
  /** Renames the graph if its ETag is still `etag`. */
  rename(token: string, id: number, etag: string, name: string): Promise<unknown>
  diff(token: string, id: number): Promise<{ fields: { pointer: string }[] }>
  compare(token: string, id: number, file: File): Promise<{ diff?: { nodes: { added: { count: number } } } }>
  audits(token: string, principal: string): Promise<{ type: string; principal: string }[]>
  /** Tries to list users. Returns the status and code of the refusal. */
  refusal(token: string | undefined): Promise<{ status: number; code: string }>
}

function expect(name: string, actual: unknown, expected: unknown) {
  const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== wanted) throw new Error(`${name}: ${is} instead of ${wanted}`)
}

/** Runs the operations in order. Throws on the first unexpected response. */
export async function go(tour: Tour) {
  const { ADMIN_PASSWORD = '', LOGIN = '', PASSWORD = '' } = process.env
  const admin = await tour.logIn('admin', ADMIN_PASSWORD)
  const token = await tour.logIn(LOGIN, PASSWORD)
  const { graph, etag } = await tour.create(token, 'Pair', pair)
  expect('version', graph.version, 1)
  expect('metadata', graph.content?.nodes[0]?.metadata, pair.nodes[0]?.metadata)
  const file = new File(['source,target\na,b\nb,c\n'], 'edges.csv')
  const report = await tour.import(token, file, 'Path', true)
  expect('dry run', [report.id, report.nodeCount], [undefined, 3])
  const imported = await tour.import(token, file, 'Path', false)
  expect('imported', [typeof imported.id, imported.nodeCount], ['number', 3])
  expect('listed', (await tour.list(token)).map(({ name }) => name).sort(), ['Pair', 'Path'])
  await tour.rename(token, graph.id, etag ?? '', 'Two')
  const { fields } = await tour.diff(token, graph.id)
  expect('differences of versions', fields, [{ pointer: '#/name', from: 'Pair', to: 'Two' }])
  expect('nodes that a file adds', (await tour.compare(token, graph.id, file)).diff?.nodes.added.count, 1)
  const events = await tour.audits(admin, LOGIN)
  const created = events.filter(({ type, principal }) => type === 'GRAPH_CREATED' && principal === LOGIN)
  expect('events', created.length, 2)
  expect('without a token', await tour.refusal(undefined), { status: 401, code: 'token-missing' })
  expect('without the right', await tour.refusal(token), { status: 403, code: 'forbidden' })
}
