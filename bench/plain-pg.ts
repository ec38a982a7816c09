import fastify from 'fastify'
import pg from 'pg'

// Bare Fastify with the plain pg driver. For each request it runs the same statements as Graphstead with the same
// parameters, prepared by name, and sends the same bytes. The parent sends both over the channel.

export interface Statement {
  text: string
  values: unknown[]
}

/** The statements and the answer of each kind of request. */
export type Plan = Record<'one' | 'page' | 'create', { statements: Statement[]; answer: string }>

const [port, connectionString] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
const app = fastify()
const json = 'application/json; charset=utf-8'
let plan: Plan | undefined

process.on('message', (given: Plan) => {
  plan = given
  process.send?.('ready')
})
process.on('disconnect', () => process.exit(0))

const names = new Map<string, string>()
function nameOf(text: string) {
  let name = names.get(text)
  if (!name) {
    name = `s${names.size}`
    names.set(text, name)
  }
  return name
}

const prepared = ({ text, values }: Statement) =>
  values.length === 0 ? { text } : { text, values, name: nameOf(text) }

/** Runs statements between BEGIN and COMMIT on one connection, others on any. */
async function run(kind: keyof Plan) {
  const { statements, answer } = (plan as Plan)[kind]
  let client: pg.PoolClient | undefined
  for (const statement of statements) {
    if (statement.text.startsWith('BEGIN')) client = await pool.connect()
    await (client ?? pool).query(prepared(statement))
    if (statement.text !== 'COMMIT') continue
    client?.release()
    client = undefined
  }
  return answer
}

app.get('/api/graphs/:id', async (_request, reply) => reply.type(json).send(await run('one')))
app.get('/api/graphs', async (_request, reply) => reply.type(json).send(plan ? await run('page') : '[]'))
app.post('/api/graphs', async (_request, reply) =>
  reply
    .code(201)
    .type(json)
    .send(await run('create'))
)
await app.listen({ port: Number(port), host: '127.0.0.1' })
