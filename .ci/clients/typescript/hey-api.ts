import { createClient } from '../hey-api/client/index.ts'
import * as api from '../hey-api/sdk.gen.ts'
import { go } from './tour.ts'

const { URL: baseUrl = '' } = process.env
const as = (token: string | undefined) => ({
  client: createClient({ baseUrl, ...(token && { auth: () => token }) }),
  throwOnError: true as const
})

await go({
  logIn: async (username, password) =>
    (await api.authenticate({ ...as(undefined), body: { username, password } })).data.id_token,
  create: async (token, name, content) => {
    const { data, response } = await api.createGraph({ ...as(token), body: { name, content } })
    return { graph: data, etag: response.headers.get('etag') }
  },
  list: async (token) => (await api.listGraphs(as(token))).data,
  import: async (token, body, name, dryRun) =>
    (await api.importGraph({ ...as(token), body, query: { name, dryRun } })).data,
  rename: (token, id, etag, name) =>
    api.patchGraph({ ...as(token), path: { id }, headers: { 'if-match': etag }, body: { name } }),
  diff: async (token, id) => (await api.diffVersions({ ...as(token), path: { id } })).data as never,
  compare: async (token, id, body) => (await api.compareFile({ ...as(token), path: { id }, body })).data,
  audits: async (token, principal) => (await api.listAudits({ ...as(token), query: { principal } })).data,
  refusal: async (token) => {
    const { error, response } = await api.listUsers({ client: as(token).client })
    if (!error || !response) throw new Error('not refused')
    return { status: response.status, code: error.code }
  }
})
