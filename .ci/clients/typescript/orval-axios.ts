import axios, { isAxiosError } from 'axios'
import { getGraphstead } from '../orval-axios/api.ts'
import { go } from './tour.ts'

const { URL: baseURL = '' } = process.env
const api = getGraphstead(axios.create({ baseURL }))
const as = (token: string | undefined, headers = {}) => ({
  headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) }
})

await go({
  logIn: async (username, password) => (await api.authenticate({ username, password })).data.id_token,
  create: async (token, name, content) => {
    const { data, headers } = await api.createGraph({ name, content }, as(token))
    return { graph: data, etag: String(headers.etag) }
  },
  list: async (token) => (await api.listGraphs({}, as(token))).data,
  import: async (token, file, name, dryRun) => (await api.importGraph(file, { name, dryRun }, as(token))).data,
  rename: (token, id, etag, name) => api.patchGraph(id, { name }, as(token, { 'if-match': etag })),
  diff: async (token, id) => (await api.diffVersions(id, {}, as(token))).data as never,
  compare: async (token, id, file) => (await api.compareFile(id, file, {}, as(token))).data,
  audits: async (token, principal) => (await api.listAudits({ principal }, as(token))).data,
  refusal: (token) =>
    api.listUsers({}, as(token)).then(
      () => Promise.reject(new Error('not refused')),
      (error: unknown) => {
        if (!isAxiosError(error) || !error.response) throw error
        return { status: error.response.status, code: error.response.data.code }
      }
    )
})
