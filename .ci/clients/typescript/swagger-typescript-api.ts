import { Api } from '../swagger-typescript-api/api.ts'
import { go } from './tour.ts'

const { URL: baseUrl = '' } = process.env
const as = (token: string | undefined) =>
  new Api({ baseUrl, ...(token && { baseApiParams: { headers: { authorization: `Bearer ${token}` } } }) })
// The client sends files as JSON, but sends text unchanged.
const textOf = async (file: File) => (await file.text()) as unknown as File

await go({
  logIn: async (username, password) => (await as(undefined).api.authenticate({ username, password })).data.id_token,
  create: async (token, name, content) => {
    const { data, headers } = await as(token).api.createGraph({ name, content })
    return { graph: data, etag: headers.get('etag') }
  },
  list: async (token) => (await as(token).api.listGraphs()).data,
  import: async (token, file, name, dryRun) =>
    (await as(token).api.importGraph(await textOf(file), { name, dryRun })).data,
  rename: (token, id, etag, name) => as(token).api.patchGraph(id, { name }, { headers: { 'if-match': etag } }),
  diff: async (token, id) => (await as(token).api.diffVersions(id)).data,
  compare: async (token, id, file) => (await as(token).api.compareFile(id, await textOf(file))).data,
  audits: async (token, principal) => (await as(token).management.listAudits({ principal })).data,
  refusal: (token) =>
    as(token)
      .api.listUsers()
      .then(
        () => Promise.reject(new Error('not refused')),
        ({ status, error }) => ({ status, code: error.code })
      )
})
