import {
  AccountApi,
  AuditsApi,
  Configuration,
  GraphsApi,
  HistoryApi,
  ResponseError,
  UsersApi
} from '../typescript-fetch/index.ts'
import { go } from './tour.ts'

const { URL: basePath = '' } = process.env
const as = (accessToken: string | undefined) => new Configuration({ basePath, ...(accessToken && { accessToken }) })

await go({
  logIn: async (username, password) =>
    (await new AccountApi(as(undefined)).authenticate({ credentials: { username, password } })).idToken,
  create: async (token, name, content) => {
    const answer = await new GraphsApi(as(token)).createGraphRaw({ graphCreate: { name, content } })
    return { graph: await answer.value(), etag: answer.raw.headers.get('etag') }
  },
  list: (token) => new GraphsApi(as(token)).listGraphs(),
  import: (token, body, name, dryRun) => new GraphsApi(as(token)).importGraph({ body, name, dryRun }),
  rename: (token, id, ifMatch, name) => new GraphsApi(as(token)).patchGraph({ id, ifMatch, graphPatch: { name } }),
  diff: (token, id) => new HistoryApi(as(token)).diffVersions({ id }),
  compare: (token, id, body) => new HistoryApi(as(token)).compareFile({ id, body }),
  audits: (token, principal) => new AuditsApi(as(token)).listAudits({ principal }),
  refusal: async (token) => {
    try {
      await new UsersApi(as(token)).listUsers()
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error
      return { status: error.response.status, code: (await error.response.json()).code }
    }
    throw new Error('not refused')
  }
})
