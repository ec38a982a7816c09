import * as api from '../orval/api.ts'
import { go } from './tour.ts'

// The client requests paths only, without a host.
const { URL: base = '' } = process.env
const plain = globalThis.fetch
globalThis.fetch = (path, init) => plain(`${base}${path}`, init)
const as = (token: string | undefined): RequestInit => (token ? { headers: { authorization: `Bearer ${token}` } } : {})

/** Returns the response, typed by its status. Throws on any other status. */
function expect<T extends { status: number }, S extends T['status']>(answer: T, ...statuses: S[]) {
  if (!statuses.some((status) => status === answer.status)) throw new Error(`status ${answer.status}`)
  return answer as Extract<T, { status: S }>
}

await go({
  logIn: async (username, password) => expect(await api.authenticate({ username, password }), 200).data.id_token,
  create: async (token, name, content) => {
    const { data, headers } = expect(await api.createGraph({ name, content }, as(token)), 201)
    return { graph: data, etag: headers.get('etag') }
  },
  list: async (token) => expect(await api.listGraphs({}, as(token)), 200).data,
  import: async (token, file, name, dryRun) =>
    expect(await api.importGraph(file, { name, dryRun }, as(token)), 200, 201).data,
  rename: async (token, id, etag, name) =>
    expect(await api.patchGraph(id, { name }, { headers: { ...as(token).headers, 'if-match': etag } }), 200),
  diff: async (token, id) => expect(await api.diffVersions(id, {}, as(token)), 200).data as never,
  compare: async (token, id, file) => expect(await api.compareFile(id, file, {}, as(token)), 200).data,
  audits: async (token, principal) => expect(await api.listAudits({ principal }, as(token)), 200).data,
  refusal: async (token) => {
    const { status, data } = expect(await api.listUsers({}, as(token)), 401, 403)
    return { status, code: data.code }
  }
})
