import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { bundleForNode } from '../../deploy/bundle.ts'
import { only } from '../support/engine.ts'
import { programLine, root } from '../support/program.ts'

const sqlite = only('SQLite', 'it tests npm commands')

/** Runs npm in its own process group, which is killed with the test. */
function npm(t: Test, args: string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GRAPHSTEAD_|npm_|NODE_OPTIONS|TAP)/.test(name))
  const child = spawn('npm', args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), npm_config_update_notifier: 'false', ...env }
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  t.teardown(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All processes have ended.
    }
  })
  return { child, pid: child.pid ?? 0, ended }
}

async function isPortTaken(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

for (const [whom, sign] of [
  ['npm', 1],
  ['its group', -1]
] as const) {
  t.test(`npm start ends on SIGTERM to ${whom}, and its port is free`, sqlite, async (t) => {
    const { child, pid, ended } = npm(t, ['start', '--', '--port', '0', '--data', t.testdir({})])
    let said = ''
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          said += chunk
          const address = /running at (http:[^,]+),/.exec(said)?.[1]
          if (address) resolve(address)
        })
      }
      ended.then(() => reject(new Error(said)))
    })
    t.equal(await isPortTaken(url), true)
    process.kill(sign * pid, 'SIGTERM')
    const { code, signal } = await ended
    // If both get the signal, it may kill npm before the server has stopped.
    if (sign === 1 || signal !== 'SIGTERM') t.same({ code, signal }, { code: 0, signal: null })
    t.equal(await isPortTaken(url), false)
  })
}

/** Runs the `npm start` script with this shell script in place of Node.js. */
function startWith(t: Test, node: string, ...args: string[]) {
  const bin = t.testdir({})
  writeFileSync(join(bin, 'node'), `#!/bin/sh\n${node}\n`)
  chmodSync(join(bin, 'node'), 0o755)
  return spawn('sh', ['deploy/start.sh', ...args], { cwd: root, env: { PATH: `${bin}:/usr/bin:/bin` } })
}

t.test('npm start names the missing library of Node.js', sqlite, async (t) => {
  const message = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  const child = startWith(t, `echo '${message}' >&2\nexit 127`)
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  t.equal(code, 127)
  t.match(stderr, /^graphstead: Node\.js does not start\. .*libatomic\.so\.1.*\nInstall libatomic1 \(/)
})

t.test('on an old Node.js, npm start lets the program report the error', sqlite, async (t) => {
  const child = startWith(t, '[ "$1" = --version ] && echo v20.20.2 || echo "$@"', '--port', '1')
  t.equal(await text(child.stdout), 'src/graphstead.js serve --port 1\n')
})

t.test('the build of the web app names the missing package', sqlite, async (t) => {
  const folder = t.testdir({
    ui: { src: { 'icon.svg': '' }, help: {}, 'index.html': '', 'share.html': '' },
    docs: {},
    deploy: {},
    'package.json': '{ "type": "module" }',
    graph: { samples: { 'a.json': '' }, formats: { shared: { 'losses.ts': '' } } },
    picture: {},
    node_modules: { react: {} }
  })
  for (const file of [
    'ui/build.ts',
    'ui/package.json',
    'ui/vite.config.ts',
    'deploy/freshness.ts',
    'package-lock.json'
  ])
    cpSync(join(root, file), join(folder, file))
  for (const file of ['ui/src/a.ts', 'ui/help/a.ts', 'docs/a.md', 'picture/a.ts']) writeFileSync(join(folder, file), '')
  const child = spawn(process.execPath, ['ui/build.ts'], { cwd: folder })
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  t.same(
    [code, stderr],
    [0, 'The web app, /docs and /help were not built, because @11ty/eleventy is not installed. Run npm ci.\n']
  )
})

t.test('npm pack on its own is refused, since its package would not run', sqlite, async (t) => {
  const packages = () => readdirSync(root).filter((name) => name.endsWith('.tgz'))
  const before = packages()
  const { child, ended } = npm(t, ['pack'])
  const said = text(child.stderr)
  t.not((await ended).code, 0)
  t.match(await said, /only-npm-run-build-package-makes-a-package/)
  t.same(packages(), before)
})

t.test('npm start runs the bundled program', sqlite, async (t) => {
  const child = startWith(t, '[ "$1" = --version ] && echo v26.0.0 || echo "$@"', '--port', '1')
  const program = existsSync(join(root, 'dist/program')) ? 'dist/program' : 'src'
  const commands = ['ui/build.ts', 'deploy/build-program.ts', `${program}/graphstead.js serve --port 1`]
  t.equal(await text(child.stdout), commands.map((command) => `${command}\n`).join(''))
})

t.test('npm start runs the source if the bundle cannot be built', sqlite, async (t) => {
  const child = startWith(t, 'case "$1" in --version) echo v26.0.0 ;; deploy/*) exit 1 ;; *) echo "$@" ;; esac')
  t.equal(await text(child.stdout), 'ui/build.ts\nsrc/graphstead.js serve\n')
})

t.test('the program is bundled again only after a change', sqlite, async (t) => {
  const names = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas']
  const folder = t.testdir({
    ...Object.fromEntries(names.map((name) => [name, { part: { 'a.ts': '' } }])),
    deploy: {
      'bundle.ts':
        "import { cpSync } from 'node:fs'\nexport const bundleForNode = (to) => cpSync('fake', to, { recursive: true })"
    },
    fake: { 'graphstead.js': '' },
    'package.json': '{ "type": "module" }',
    'package-lock.json': '',
    node_modules: { esbuild: {} }
  })
  for (const file of ['build-program.ts', 'freshness.ts'])
    cpSync(join(root, 'deploy', file), join(folder, 'deploy', file))
  const bundle = join(folder, 'dist/program/graphstead.js')
  const builtAt = () => statSync(bundle, { throwIfNoEntry: false })?.mtimeMs
  const build = () => {
    execFileSync(process.execPath, ['deploy/build-program.ts'], { cwd: folder })
    return builtAt()
  }
  const first = build()
  t.type(first, 'number')
  t.equal(build(), first)

  const later = new Date(Date.now() + 1000)
  utimesSync(join(folder, 'db/part/a.ts'), later, later)
  t.not(build(), first)

  rmSync(join(folder, 'node_modules/esbuild'), { recursive: true })
  t.equal(build(), undefined, 'the source is not hidden by an old bundle')
})

t.test('the bundle omits unused packages, and still prints the OpenAPI document', sqlite, async (t) => {
  const folder = t.testdir({})
  await bundleForNode(folder)
  const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const has = (part: string) => code.some((text) => text.includes(part))
  t.strictSame(['"node:https"', '"node:http2"', 'node_modules/yaml/', 'node_modules/debug/'].map(has), [
    true,
    false,
    false,
    false
  ])
  const [command, ...args] = programLine
  const printed = execFileSync(command, [...args, 'openapi'], { encoding: 'utf8' })
  t.equal(printed, readFileSync(join(root, 'openapi.json'), 'utf8'))
})
