import { execFile, execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { environmentOf } from '../support/engine.ts'
import { executable, root, serve } from '../support/program.ts'

t.test('every command of the tour works', async (t) => {
  const tour = readFileSync(join(root, 'docs/tour.md'), 'utf8')
  const [inClone = '', start = '', ...blocks] = [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, block]) => block ?? ''
  )
  const password = /^GRAPHSTEAD_ADMIN_PASSWORD='([^']+)' graphstead serve\n$/.exec(start)?.[1] ?? ''
  t.ok(password)

  const folder = t.testdir({ bin: {} })
  const names = executable
    ? ['docs']
    : ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas', 'docs', 'package.json', '.npmrc']
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true })
  // The npm package contains JavaScript, which needs Node.js. An executable does not need it.
  const needsNode = executable === undefined || readFileSync(executable).subarray(0, 2).equals(Buffer.from('#!'))
  if (executable) {
    // Simulates a machine with few other programs installed.
    const tools = ['bash', 'curl', 'sed', 'env'].map((tool) =>
      execFileSync('which', [tool], { encoding: 'utf8' }).trim()
    )
    if (needsNode) tools.push(process.execPath)
    for (const path of tools) symlinkSync(path, join(folder, 'bin', basename(path)))
    symlinkSync(executable, join(folder, 'bin', 'graphstead'))
  } else symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const server = await serve(t, join(folder, 'data'), [], { GRAPHSTEAD_ADMIN_PASSWORD: password })
  // Separates the responses, which are JSON without a trailing newline.
  const apart = 'curl() { command curl "$@"; echo; }'
  const program = executable ? (needsNode ? '' : '! command -v node') : inClone
  const script = ['set -euo pipefail', apart, program, ...blocks]
    .join('\n')
    .replace('http://127.0.0.1:8080', server.url)
  const database = await environmentOf(t, join(folder, 'data'))
  const env = {
    ...process.env,
    ...database,
    PATH: executable ? join(folder, 'bin') : `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    NODE_OPTIONS: ''
  }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })
  const said = stdout.split('\n').filter((line) => line !== '')
  const json = (index: number) => JSON.parse(said[index] ?? 'null')

  t.match(said[0], /ada/)
  t.match(said[1], /bob/)
  t.match(json(2), { id: 1, name: 'Triangle', owner: 'ada', nodeCount: 3, edgeCount: 3 })
  t.match(json(3), { id: 1, name: 'Small triangle', version: 2 })
  t.match(said[4], /les-miserables\.jgf\.json: graph 2, les_miserables, 77 nodes, 254 edges/)
  t.match(json(5), [{ id: 2, name: 'les_miserables', owner: 'ada', nodeCount: 77, edgeCount: 254 }])
  t.equal(said[6], '404')
  t.match(json(7), [{ id: 2, shared: true }])
  t.same(said.slice(8, 10), ['200', '403'])
  t.match(json(10), { format: 'graphml', valid: true, nodeCount: 77, edgeCount: 254 })
  t.same(json(10).losses, [])
  t.match(json(11), { id: 3, name: 'Novel', owner: 'ada', nodeCount: 77, edgeCount: 254 })
  t.match(json(12), [
    { type: 'AUTHORIZATION_FAILURE', principal: 'bob', outcome: 'DENIED', target: { id: 2 } },
    { type: 'GRAPH_SHARED', principal: 'ada' },
    { type: 'GRAPH_CREATED', principal: 'system', data: { 'nodeCount.new': '77', 'edgeCount.new': '254' } }
  ])
  t.same(
    [said[13], ...said.slice(16, 19)],
    [
      'graph 1',
      '~ name: "Triangle" -> "Small triangle"',
      'nodes: 0 added, 0 removed, 0 changed',
      'edges: 0 added, 0 removed, 0 changed'
    ]
  )
  t.match(json(19), { id: 1, name: 'Triangle', version: 3 })
  t.match(json(20), [
    { version: 3, message: 'The old name was better', restoredFrom: 1 },
    { version: 2, name: 'Small triangle' },
    { version: 1 }
  ])
  t.match(json(21), [{ id: 3, name: 'Novel', trashedBy: 'ada' }])
  t.match(json(22), { id: 3, name: 'Novel', version: 1, nodeCount: 77 })
  t.equal(said.length, 23)
})
