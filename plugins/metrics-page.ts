import { NoQuery } from '../schemas/parameters.ts'
import { plainText, refusals } from '../schemas/responses.ts'
import { METRICS_TYPE } from './http/metrics-server.ts'
import type { Plugin } from './http/plugin.ts'

/** The metrics of the server. Registered where callers are administrators. */
const metricsPage: Plugin = async (app) => {
  app.get(
    '/metrics',
    {
      config: { scope: 'read:audits' },
      schema: {
        tags: ['health'],
        operationId: 'readMetrics',
        summary: 'Fetch the metrics',
        description:
          'In the text format of Prometheus (0.0.4). With `--metrics-port` the same is served on a port of its own, without a token.',
        querystring: NoQuery,
        response: { 200: plainText('The metrics.', METRICS_TYPE), ...refusals(400) }
      }
    },
    async (_request, reply) => reply.type(METRICS_TYPE).send(await app.metrics.text())
  )
}

export default metricsPage
