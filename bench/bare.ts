import fastify from 'fastify'

// Bare Fastify: routes like Graphstead's that do nothing but parse and send the same bytes. The parent process provides the
// responses over IPC.

/** The responses of the routes. */
export interface Answers {
  /** Responses to GET /api/graphs/{id}. */
  graphs: Record<string, string>
  /** The response to GET /api/graphs. */
  list: string
  /** The response to POST and PUT /api/graphs. */
  changed: string
}

let answers: Answers = { graphs: {}, list: '[]', changed: '{}' }
/** The responses by graph id. Large ones are buffers, so that they are encoded only once. */
const graphs = new Map<string, string | Buffer>()

process.on('message', (given: Answers) => {
  answers = given
  for (const [id, text] of Object.entries(given.graphs)) {
    graphs.set(id, text.length > 100_000 ? Buffer.from(text) : text)
  }
  process.send?.('ready')
})
process.on('disconnect', () => process.exit(0))

const app = fastify({ bodyLimit: 64 * 1024 * 1024 })
const json = 'application/json; charset=utf-8'
app.get<{ Params: { id: string } }>('/api/graphs/:id', (request, reply) => {
  reply.type(json).send(graphs.get(request.params.id))
})
app.get('/api/graphs', (_request, reply) => {
  reply.type(json).send(answers.list)
})
app.post('/api/graphs', (_request, reply) => {
  reply.code(201).type(json).send(answers.changed)
})
app.put('/api/graphs', (_request, reply) => {
  reply.type(json).send(answers.changed)
})
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
