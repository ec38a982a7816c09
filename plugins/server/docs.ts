import { createHash } from 'node:crypto'
import type { FastifySchema } from 'fastify'
import { NoQuery } from '../../schemas/parameters.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import { sendShared } from '../http/bodies/pieces.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { isKnown } from '../http/etags.ts'
import { ownFilesOnly } from '../http/headers.ts'
import type { Plugin } from '../http/plugin.ts'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Graphstead API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <p><a href="help/">Help</a></p>
    <main id="docs"></main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`
const start = `SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null, persistAuthorization: false
})
`

/** Serves a page that displays the OpenAPI document and can send requests. */
const docs: Plugin<{ files: BuiltFiles }> = async (app, { files }) => {
  const schema = { hide: true, querystring: NoQuery, response: refusals(400) } as FastifySchema
  const serve = (url: string, type: string, load: () => Promise<string>) => {
    let asset: Promise<{ bytes: Buffer; etag: string }> | undefined
    app.get(url, {
      schema,
      handler: async (request, reply) => {
        asset ??= load().then((text) => ({
          bytes: Buffer.from(text),
          etag: `"${createHash('sha256').update(text).digest('base64url')}"`
        }))
        const { bytes, etag } = await asset.catch((error: unknown) => {
          // The next request tries again.
          asset = undefined
          throw error
        })
        reply
          .headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': ownFilesOnly })
          .type(`${type}; charset=utf-8`)
        if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
        return sendShared(reply, bytes)
      }
    })
  }

  const read = async (name: string) => {
    const reading = files.get(name)
    if (!reading) throw new ProblemError('docs-missing')
    return (await reading()).toString()
  }
  serve('/docs', 'text/html', async () => {
    if (files.size === 0) throw new ProblemError('docs-missing')
    return page
  })
  serve('/docs/start.js', 'text/javascript', async () => start)
  serve('/docs/swagger-ui.css', 'text/css', () => read('swagger-ui.css'))
  serve('/docs/swagger-ui-bundle.js', 'text/javascript', () => read('swagger-ui-bundle.js'))
}

export default docs
