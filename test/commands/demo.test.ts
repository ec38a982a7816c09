import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { only } from '../support/engine.ts'
import { call, login, programLine, run, serveProgram } from '../support/program.ts'

const sqlite = only('SQLite', 'the demo always uses its own folder')

interface Listed {
  id: number
  description: string
  version: number
}

/** Returns the demo folder that the process has open. */
function folderOf(pid: number) {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })
  return open.map((path) => /^.*\/graphstead-demo-[^/]+/.exec(path)?.[0]).find((path) => path !== undefined)
}

t.test(
  'serve --demo has five graphs with versions and a link, refuses changes, and leaves no files behind',
  sqlite,
  async (t) => {
    const server = await serveProgram(t, undefined, ['--demo'], {
      GRAPHSTEAD_DATA: '/nowhere',
      GRAPHSTEAD_LINKS: 'off'
    })
    while (!server.stderr().includes('Open a link'))
      await new Promise((resolve) => server.child.stderr?.once('data', resolve))
    const folder = folderOf(server.child.pid as number)
    t.ok(folder && existsSync(folder))
    const [, username = '', password = ''] = /Username +(\S+)\n +Password +(\S+)\n/.exec(server.stderr()) ?? []
    const token = await login(server.url, username, password)
    const get = (path: string) => call(`${server.url}${path}`, 'GET', undefined, token)

    const graphs: Listed[] = (await get('/api/graphs')).body
    t.equal(graphs.length, 5)
    for (const { id, description, version } of graphs) {
      t.match(description, /Source: .+ Licence: (MIT|BSD-3-Clause), /)
      const versions: { message?: string }[] = (await get(`/api/graphs/${id}/versions`)).body
      t.equal(versions.length, version)
      t.ok(version > 1 && versions.every(({ message }) => message), `graph ${id} has a commented history`)
    }
    const events: { type: string }[] = (await get('/management/audits?size=100')).body
    t.equal(events.filter(({ type }) => type === 'GRAPH_CREATED').length, 5)
    t.ok(events.some(({ type }) => type === 'GRAPH_RESTORED'))

    const [, publicId, secret] = /\/s\/([\w-]+)#([\w-]+)/.exec(server.stderr()) ?? []
    t.match(
      await call(`${server.url}/api/links/${publicId}/open`, 'POST', { secret }),
      { status: 200 },
      'the link works'
    )

    const refused = { status: 403, body: { code: 'demo-read-only' } }
    const changes: [string, string, object?][] = [
      ['POST', '/api/graphs', { name: 'New' }],
      ['PATCH', `/api/graphs/${graphs[0]?.id}`, { name: 'Other' }],
      ['DELETE', `/api/graphs/${graphs[0]?.id}`],
      ['POST', '/api/account/password', { currentPassword: password, newPassword: 'correct horse battery staple' }],
      ['POST', '/api/account/logout'],
      ['POST', '/api/invitation/acceptance', { secret: 'x'.repeat(43), password: 'correct horse battery staple' }]
    ]
    for (const [method, path, body] of changes) {
      t.match(await call(`${server.url}${path}`, method, body, token), refused, `${method} ${path}`)
    }
    const part = { nodes: ['north'] }
    t.match(
      await call(`${server.url}/api/graphs/5/subgraph`, 'POST', part, token),
      { status: 200 },
      'reading by POST works'
    )

    t.equal(await server.stop(), 0)
    t.notOk(existsSync(folder as string), 'the folder is removed')
  }
)

t.test('--demo refuses options that name data or affect stored data', sqlite, async (t) => {
  for (const option of ['--data', '--database', '--keep-versions', '--audit-lines', '--oidc-issuer']) {
    const outcome = await run(['serve', '--demo', option, 'x'])
    t.match(outcome, { code: 2, stderr: `graphstead serve: --demo cannot be combined with ${option}; see` })
    t.match(await run(['serve', `${option}=x`, '--demo']), { code: 2, stderr: `cannot be combined with ${option};` })
  }
})

t.test('a demo that is stopped while it starts leaves nothing', sqlite, async (t) => {
  const child = spawn(programLine[0], [...programLine.slice(1), 'serve', '--demo', '--port', '0'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  let folder: string | undefined
  while (folder === undefined && child.exitCode === null) {
    await sleep(1)
    folder = folderOf(child.pid as number)
  }
  child.kill('SIGTERM')
  t.strictSame(await exited, [1, null])
  t.ok(folder && !existsSync(folder))
})
