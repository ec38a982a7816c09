import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { indexNext, startIndexing } from '../../db/upkeep/reindex.ts'
import { wordsOfStored } from '../../graph/query/stored-words.ts'
import { contradictions } from '../support/consistency.ts'
import { openDataStore } from '../support/engine.ts'
import { build, PASSWORD, proven } from '../support/helper.ts'
import { call, login, serveProgram } from '../support/program.ts'
import { type Scanned, scan } from '../support/search-scan.ts'

// In random histories of several users, a search returns the same results as a plain scan of all contents that the user may
// read.

const logins = ['ada', 'bob', 'cy.x_y'] as const
const readWords = async (body: Buffer) => wordsOfStored(body)

/** Texts for graphs, many of which share words. */
const texts = [
  'alpha', 'Alphabet beta', 'gamma_alpha', 'TP53_human', 'tp53 kinase', 'camelCase', 'Camel case', 'HTTPServer2Go',
  'Straße', 'Müller', 'MULLER', 'Ὀδυσσεύς ΟΔΟΣ', 'Ёжик', 'مُحَمَّد', 'שָׁלוֹם', '東京都', '京都 alpha', '한국어', '0.75', '2026-11-24',
  'src/graph/words.ts', 'https://example.org/a?b=c', 'ada.lovelace@example.org', "don't", 'x'.repeat(80), '…'
] // biome-ignore format: one text after another
const queries = [
  'alpha', 'alp', 'al', 'alpha beta', 'beta alpha', 'gam', 'tp53', 'TP53_human', 'kinase tp5', 'camelCase', 'camelC',
  'case', 'camel', 'httpserver2go', 'server2 go', 'STRASSE', 'muller', 'Müll', 'οδοσ', 'οδυσσευς', 'ежик', 'محمد', 'שלום',
  '京都', '東京都', '都', '한국', '국어 alpha', '0.75', '75', '2026', 'graph/content/words', 'example.org', 'lovelace@example.org',
  'don', "don't", 'x'.repeat(80), 'xxxx', 'alpha missing', 'true', 'owner', 'kept', 'ada', 'bob cy'
] // biome-ignore format: one text after another

/** Content with several texts. Large content has its own rows in the index. */
const contents = fc.record({
  isLarge: fc.nat(5).map((number) => number === 0),
  label: fc.constantFrom(...texts),
  nodes: fc.array(fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...texts)), { maxLength: 4 }),
  edges: fc.array(fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...texts)), { maxLength: 2 })
})
const filling = '- '.repeat(80_000)

function contentOf({ isLarge, label, nodes, edges }: typeof contents extends fc.Arbitrary<infer T> ? T : never) {
  const ids = nodes.map(([id], index) => `${id} ${index}`)
  return {
    label,
    ...(isLarge && { metadata: { filling } }),
    nodes: nodes.map(([, text], index) => ({
      id: ids[index],
      ...(index % 2 === 0 ? { label: text } : { metadata: { deep: [{ text }, true, index] } })
    })),
    edges: edges.flatMap(([relation, label]) =>
      ids.length === 0 ? [] : [{ source: ids[0], target: ids.at(-1), relation, metadata: { label } }]
    )
  }
}

const text = fc.constantFrom(...texts)
const index = fc.nat(100)
const step = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'create', 'put', 'put', 'patch', 'share', 'share', 'restore', 'grant', 'grant', 'revoke'] as const),
    ...(['transfer', 'trash', 'trash', 'untrash', 'purge'] as const)
  ),
  who: fc.constantFrom(...logins),
  other: fc.constantFrom(...logins),
  index,
  text,
  tag: text,
  isShared: fc.boolean(),
  content: contents
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

type Ask = (
  who: string,
  method: string,
  path: string,
  body?: object
) => Promise<{ status: number; body: any; headers: Record<string, string | undefined> }>

/** Returns a function that performs steps on behalf of graph owners. A refusal is as valid as a change. */
function player(ask: Ask) {
  const owners: { id: number; owner: string }[] = []
  const done = new Map<string, number>()
  const play = async ({ kind, who, other, index, text, tag, isShared, content }: Step) => {
    const graph = owners[index % Math.max(1, owners.length)]
    const name = text.slice(0, 60)
    const tags = tag === '…' ? [] : [tag.slice(0, 60)]
    const send = async (method: string, path: string, body?: object) => {
      const { status } = await ask(graph?.owner ?? who, method, path, body)
      if (status < 300) done.set(kind, (done.get(kind) ?? 0) + 1)
      return status
    }
    if (kind === 'create') {
      const graph = { name, description: tag, tags, shared: isShared, content: contentOf(content) }
      const { status, body } = await ask(who, 'POST', '/api/graphs', graph)
      if (status !== 201) throw new Error(`creating is ${status}: ${JSON.stringify(body)}`)
      owners.push({ id: body.id, owner: who })
      done.set(kind, (done.get(kind) ?? 0) + 1)
    }
    if (!graph) return
    const { id } = graph
    const path = `/api/graphs/${id}`
    if (kind === 'put') await send('PUT', '/api/graphs', { id, name, tags, content: contentOf(content) })
    if (kind === 'patch') await send('PATCH', path, { name, description: tag })
    if (kind === 'share') await send('PATCH', path, { shared: isShared })
    if (kind === 'restore') await send('POST', `${path}/restore`, { version: 1 + (index % 3) })
    if (kind === 'grant') await send('PUT', `${path}/access/users/${other}`, { access: isShared ? 'READ' : 'WRITE' })
    if (kind === 'revoke') await send('DELETE', `${path}/access/users/${other}`)
    if (kind === 'trash') await send('DELETE', path)
    if (kind === 'untrash') await send('POST', `/api/trash/${id}/restore`, {})
    if (kind === 'purge') await send('DELETE', `/api/trash/${id}`)
    if (kind === 'transfer' && (await send('PATCH', path, { owner: other })) === 200) graph.owner = other
  }
  return { play, done }
}

/** Returns a function that compares all users' searches with scans and returns the number of graphs found. */
function judge(t: Test, ask: Ask, users: readonly string[]) {
  const known = new Map<string, Scanned>()
  const read = async (who: string) => {
    const { body } = await ask(who, 'GET', '/api/graphs?size=1000')
    const graphs: Scanned[] = []
    for (const { id, version } of body as { id: number; version: number }[]) {
      const key = `${id} ${version}`
      const graph = known.get(key) ?? (await ask(who, 'GET', `/api/graphs/${id}`)).body
      known.set(key, graph)
      graphs.push(graph)
    }
    return graphs
  }
  /** Returns the results of all pages of the search. */
  const search = async (who: string, q: string) => {
    const found: { graph: { id: number }; matches: { pointer: string }[] }[] = []
    for (let path = `/api/search?size=100&q=${encodeURIComponent(q)}`; ; ) {
      const { status, body, headers } = await ask(who, 'GET', path)
      if (status !== 200) throw new Error(`${path} is ${status}`)
      found.push(...body)
      const next = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
      if (next === undefined) return found
      path = next
    }
  }
  return async (queries: string[], when: string, some = users) => {
    let count = 0
    for (const who of some) {
      const graphs = await read(who)
      for (const q of queries) {
        const found = await search(who, q)
        const is = found.map(({ graph, matches }) => ({
          id: graph.id,
          pointers: matches.map(({ pointer }) => pointer)
        }))
        count += is.length
        t.same(is, scan(graphs, q), `${when}: ${who} searches ${q}`)
      }
    }
    return count
  }
}

t.test(
  'a search returns the same as a scan of all readable contents, after any change and during reindexing',
  async (t) => {
    const { as, store } = await build(t)
    const ask: Ask = async (who, method, path, body) => as(who)[method.toLowerCase() as 'post'](path, body)
    for (const who of logins) await ask(who, 'GET', '/api/account')
    const { play, done } = player(ask)
    const compare = judge(t, ask, [...logins, 'root'])
    const steps = fc.sample(step, { numRuns: 200, seed: 20261124 })
    let found = 0
    for (const [number, action] of steps.entries()) {
      await play(action)
      // Reindexing spans half of the steps, so searches run before, during and after it.
      if (number === 100) await store.write(startIndexing)
      if (number > 100 && number % 20 === 0) await indexNext(store, readWords)
      const isAll = number % 50 === 49
      if (number === 99) t.same(await contradictions(store), [])
      if (number === 199) while (await indexNext(store, readWords));
      // Runs one search after each change, and all searches occasionally.
      const some = isAll ? queries : [queries[number % queries.length] as string]
      const everybody = [...logins, 'root']
      const who = isAll ? everybody : [everybody[number % everybody.length] as string]
      found += await compare(some, `step ${number}, ${action.kind}`, who)
      if (!t.passing()) return
    }
    t.ok(found > 1000, `${found} graphs were found`)
    t.same(
      [...done.keys()].sort(),
      [...new Set(steps.map(({ kind }) => kind))].sort(),
      'each kind of step had an effect'
    )
    t.same(await contradictions(store), [])
  }
)

t.test('kill -9 during changes and reindexing leaves a correct index', async (t) => {
  const data = t.testdir({})
  const flags = ['--log-level', 'error', '--rate-user', '0']
  let server = await serveProgram(t, data, flags)
  const tokens = new Map([['root', await login(server.url)]])
  const ask: Ask = (who, method, path, body) => call(`${server.url}${path}`, method, body, tokens.get(who))
  for (const who of logins) {
    const user = { login: who, password: PASSWORD, role: 'USER', ...proven }
    t.equal((await ask('root', 'POST', '/api/users', user)).status, 201)
    tokens.set(who, await login(server.url, who))
  }
  const compare = judge(t, ask, [...logins, 'root'])
  for (const round of [1, 2, 3]) {
    // Runs several histories concurrently until the server is killed.
    const histories = fc.sample(fc.array(step, { minLength: 1000, maxLength: 1000 }), { numRuns: 6, seed: round })
    const { play, done } = player(ask)
    const untilDone = async (count: number) => {
      while ([...done.values()].reduce((sum, count) => sum + count, 0) < count) await sleep(20)
    }
    const writers = histories.map(async (history) => {
      for (const action of history) await play(action)
    })
    const ended = Promise.allSettled(writers)
    const store = await openDataStore(t, data)
    await untilDone(60)
    await store.write(startIndexing)
    for (let transaction = 0; transaction < round; transaction++) await indexNext(store, readWords)
    await untilDone(100 + 20 * round)
    await server.stop('SIGKILL')
    await ended
    await store.close()
    // The server completes the index on its own.
    server = await serveProgram(t, data, flags)
    const isIndexed = async () =>
      !(await call(`${server.url}/api/search?q=a`, 'GET', undefined, tokens.get('ada'))).headers['graphstead-indexing']
    for (let wait = 0; wait < 200 && !(await isIndexed()); wait++) await sleep(100)
    t.ok(await isIndexed(), 'the index is complete')
    t.ok((await compare(queries, `round ${round}`)) > 100, 'graphs were found')
  }
  await server.stop()
  const store = await openDataStore(t, data)
  t.same(await contradictions(store), [])
  await store.close()
})
