import fastify from 'fastify'
import pg from 'pg'

// Bare Fastify with the plain pg driver. For each request, it runs the same statements as Graphstead with the same parameters,
// as named prepared statements, and sends the same bytes. The parent process provides the statements and responses over IPC.

export interface Statement {
  text: string
  values: unknown[]
}

/** The statements and the response of each kind of request. */
export type Plan = Record<'one' | 'page' | 'create', { statements: Statement[]; answer: string }> & {
  /** The id of the graph in the recorded statements of `create`. Each request substitutes its own id. */
  createdId: number
}

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

/** Runs the statements: those of a transaction on one connection, and others on any. */
async function run(kind: 'one' | 'page' | 'create') {
  const { createdId, ...plans } = plan as Plan
  const { statements, answer } = plans[kind]
  let client: pg.PoolClient | undefined
  let id = createdId
  for (const { text, values } of statements) {
    if (text.startsWith('BEGIN')) client = await pool.connect()
    const own = id === createdId ? values : values.map((value) => (value === createdId ? id : value))
    const { rows } = await (client ?? pool).query(prepared({ text, values: own }))
    if (text.startsWith('insert into "graph" ')) id = rows[0].id
    if (text !== 'COMMIT') continue
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
