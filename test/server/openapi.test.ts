import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createSchemaController } from '../../plugins/server/validation.ts'
import { pages } from '../../plugins/server/web-app.ts'
import { build } from '../support/helper.ts'

const root = join(import.meta.dirname, '..', '..')
const checkedIn = readFileSync(join(root, 'openapi.json'), 'utf8')

interface Bucket {
  add(schema: object): void
  getSchemas(): object
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { $ref?: string; headers?: object }>
}
const document = JSON.parse(checkedIn) as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<
      string,
      { description?: string; properties?: Record<string, { description?: string; format?: string; $ref?: string }> }
    >
    responses: Record<string, { content: object }>
  }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))
)

t.test('openapi.json is up to date, and identical on every server', async (t) => {
  const { app, as } = await build(t)
  t.equal(app.openapiText(), checkedIn, 'npm run openapi rewrites it')
  t.equal((await as().get('/openapi.json')).text, checkedIn)
  const printed = execFileSync(process.execPath, [join(root, 'src/graphstead.js'), 'openapi'], { encoding: 'utf8' })
  t.equal(printed, checkedIn)
})

t.test('all contexts share the named schemas, and each name is used once', async (t) => {
  const bucket = createSchemaController().bucket as unknown as (known?: object) => Bucket
  const root = bucket()
  root.add({ $id: 'A', type: 'null' })
  const child = bucket(root.getSchemas())
  t.equal(child.getSchemas(), root.getSchemas())
  t.throws(() => child.add({ $id: 'A', type: 'string' }), { message: 'two schemas are named A' })
})

t.test('the generated client types are up to date', async (t) => {
  const out = join(t.testdir({}), 'api.d.ts')
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js')
  execFileSync(process.execPath, [generator, join(root, 'openapi.json'), '-o', out])
  const generated = readFileSync(join(root, 'clients/typescript/src/generated.ts'), 'utf8')
  t.equal(generated, readFileSync(out, 'utf8'), 'npm run openapi rewrites them')
})

t.test('every operation is documented with all of its responses', async (t) => {
  t.match(document.openapi, /^3\.1\./)
  for (const { path, method, operationId, summary, description, tags, security, responses } of operations) {
    const name = `${method.toUpperCase()} ${path}`
    t.ok(operationId && summary && description, name)
    t.equal(tags.length, 1, name)
    for (const status of ['431', '500', '503']) t.ok(responses[status], `${name}: ${status}`)
    const signsIn = ['authenticate', 'startSession', 'openLink'].includes(operationId)
    t.equal('401' in responses, security.length > 0 || signsIn, `${name}: 401`)
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) >= 400) t.equal(response.$ref, `#/components/responses/Problem${status}`)
      else t.ok(response.headers && 'X-Request-Id' in response.headers, `${name}: ${status} has X-Request-Id`)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    t.ok(schema.description, name)
    for (const [property, { description, $ref }] of Object.entries(schema.properties ?? {})) {
      t.ok(description ?? $ref, `${name}.${property}`)
    }
  }
  for (const [name, response] of Object.entries(document.components.responses)) {
    t.same(Object.keys(response.content), ['application/problem+json'], name)
  }
  t.notMatch(Object.keys(document.components.schemas).join(), /\bdef-/)
})

t.test(
  'every route is documented, except the document itself, its page, the web app, MCP, and the tiles of the audit log',
  async (t) => {
    const { app } = await build(t)
    const page = ['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']
    const help = ['/help', '/help/', '/help/:name', '/help/images/:name']
    // The route tree omits the middle of the tile path, /management/audits/log/tile/*.
    const links = ['/s/:publicId', '/s/:publicId/preview.png']
    const hidden = [...page, ...help, ...pages, ...links, '/assets/:name', '/mcp', '/management/audits*']
    const routes = new Set<string>()
    const branch: string[] = []
    for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent = '', path = '', methods] = /^(.*)── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
      branch.splice((indent.length - 1) / 4, Number.POSITIVE_INFINITY, path)
      if (methods) routes.add(branch.join(''))
    }
    t.ok(routes.size > 10)
    const documented = Object.keys(document.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
    t.same([...routes].sort(), [...documented, ...hidden].sort())
  }
)

t.test(
  'the types are simple enough for generators: objects are named, and no schema is only null, a negation or untyped',
  (t) => {
    const faults: string[] = []
    /** Visits the schema at the pointer; `isNamed` is true for a component. */
    const visit = (schema: Record<string, unknown>, pointer: string, isNamed: boolean) => {
      const { type, not, properties, anyOf, oneOf, items, $ref } = schema as Record<string, Record<string, never>>
      if ('type' in schema && (schema.type as unknown) === 'null') faults.push(`${pointer} is null`)
      if (not !== undefined) faults.push(`${pointer} is a negation`)
      if (properties && !isNamed) faults.push(`${pointer} is an object without a name`)
      const isAny =
        /(?:\/(?:from|to|MetadataValue)|AttributeValue\/value|GraphLayout\/positions\/items\/items|EdgePatch\/remove\/items)$/.test(
          pointer
        )
      if (!type && !$ref && !anyOf && !oneOf && !isAny) faults.push(`${pointer} has no type`)
      for (const [name, property] of Object.entries(properties ?? {})) visit(property, `${pointer}/${name}`, false)
      if (items) visit(items, `${pointer}/items`, false)
      // A component combined with null means that a request may remove the value.
      for (const part of ((anyOf ?? oneOf) as unknown as Record<string, unknown>[]) ?? [])
        if (part.type !== 'null') visit(part, `${pointer}/anyOf`, false)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name, true)
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { requestBody, parameters = [] } = operation as unknown as {
          requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
          parameters?: { name: string; schema: Record<string, unknown> }[]
        }
        for (const { name, schema } of parameters) visit(schema, `${method} ${path} ${name}`, false)
        for (const [mediaType, { schema }] of Object.entries(requestBody?.content ?? {}))
          visit(schema, `${method} ${path} ${mediaType}`, false)
      }
    }
    t.same(faults, [])
    t.end()
  }
)

t.test('patterns are portable: no Unicode escapes, no lookahead and no lookbehind', (t) => {
  const patterns = [...checkedIn.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text ?? ''))
  t.ok(patterns.length > 10, `${patterns.length} patterns`)
  const special = patterns.filter((pattern) => /\\u|\(\?[=!<]/.test(pattern))
  t.same(special, [])
  t.end()
})

t.test('integers that may exceed 32 bits are int64', (t) => {
  const names = ['Graph.id', 'Graph.version', 'Graph.nodeCount']
  for (const name of [...names, 'GraphPatch.version', 'GraphUpdate.version', 'AuditTarget.version']) {
    const [schema = '', property = ''] = name.split('.')
    t.equal(document.components.schemas[schema]?.properties?.[property]?.format, 'int64', name)
  }
  t.end()
})

t.test('JSON responses with alternatives are named', (t) => {
  const inline = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap((response) => {
      const { content = {} } = response as { content?: Record<string, { schema: object }> }
      return Object.values(content).some(({ schema }) => 'anyOf' in schema || 'oneOf' in schema) ? [operationId] : []
    })
  )
  t.same(inline, [])
  t.ok(document.components.schemas.ImportResult)
  t.end()
})

t.test('file bodies are binary, with the generic type first', (t) => {
  const bodies = document as unknown as { paths: Record<string, Record<string, { requestBody: { content: object } }>> }
  for (const [path, method] of [
    ['/api/graphs/import', 'post'],
    ['/api/graphs/{id}/content', 'put'],
    ['/api/graphs/{id}/diff', 'post']
  ] as const) {
    const content = bodies.paths[path]?.[method]?.requestBody.content as Record<string, { schema: object }>
    t.equal(Object.keys(content)[0], 'application/octet-stream')
    for (const [mediaType, { schema }] of Object.entries(content)) {
      t.same(schema, { type: 'string', format: 'binary' }, mediaType)
      t.notMatch(mediaType, /json/, 'generated clients would prefer this type')
    }
  }
  t.end()
})
