import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { only } from '../support/engine.ts'
import { executable, root } from '../support/program.ts'

// Runs every block of commands in docs/ in order, on a simulated system in a folder with its own /etc, /usr/local and /var, a
// sudo without a prompt, and a systemctl that starts the unit's command.

const sqlite = only('SQLite', 'docs/deploy.md is about PostgreSQL, and test/store/postgres.test.ts runs its commands')

/** Stubs for parts of a system that are missing in tests. */
const stubs = {
  sudo: `[ "$1" = -u ] && shift 2; exec "$@"`,
  useradd: `[ "\${!#}" = graphstead ]`,
  // Runs a server, and stops it as soon as it is ready.
  'until-ready': `: > "$SYSTEM/stderr"; "$@" 2>> "$SYSTEM/stderr" & pid=$!
    for look in {1..600}; do grep -q 'is running at' "$SYSTEM/stderr" || ! kill -0 $pid && break; sleep 0.1; done
    kill $pid; wait $pid; code=$?; cat "$SYSTEM/stderr" >&2; exit $code`,
  // No other user can own files here.
  install: `args=(); while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2;; *) args+=("$1"); shift;; esac; done
    exec /usr/bin/install "\${args[@]}"`,
  systemctl: `
    unit=$SYSTEM/etc/systemd/system/graphstead.service; pid=$SYSTEM/pid
    stop() { [ -e "$pid" ] || return 0; kill "$(cat "$pid")"; while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.05; done; rm "$pid"; }
    start() {
      set -a; eval "$(sed -n 's/^Environment=//p' "$unit" | sed "s#=/#=$SYSTEM/#")"
      env=$SYSTEM/etc/graphstead.env; [ -e "$env" ] && . "$env"; set +a
      cd "$SYSTEM/var/lib/graphstead"
      $(sed -n "s#^ExecStart=#$SYSTEM#p" "$unit") >> "$SYSTEM/../graphstead.log" 2>&1 & echo $! > "$pid"
    }
    case $1 in
      daemon-reload) [ -e "$unit" ];;
      enable|start) start;;
      restart) stop; start;;
      stop) stop;;
      reload) kill -HUP "$(cat "$pid")";;
      *) exit 1;;
    esac`
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Creates a system with a working folder, and a function that runs a block of a document there. */
async function system(t: Test) {
  const folder = t.testdir({
    bin: {},
    dist: {},
    old: {},
    system: { etc: { ssl: {}, systemd: { system: {} } }, usr: { local: { bin: {} } }, var: { lib: {}, backups: {} } }
  })
  const there = join(folder, 'system')
  const script = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/bash\n${text}\n`)
    chmodSync(path, 0o755)
  }
  for (const [name, text] of Object.entries(stubs)) script(join(folder, 'bin', name), text)
  const program = executable
    ? `exec "${executable}" "$@"`
    : `exec "${process.execPath}" "${join(root, 'src/graphstead.js')}" "$@"`
  for (const place of ['dist', 'old']) script(join(folder, place, 'graphstead'), program)
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  copyFileSync(join(root, 'test/tls/first.crt'), join(there, 'etc/ssl/graphs.pem'))
  copyFileSync(join(root, 'test/tls/first.key'), join(there, 'etc/ssl/graphs.key'))
  const ports = new Map<string, number>()
  for (const port of ['8080', '8443', '9464']) ports.set(port, await freePort())
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(GRAPHSTEAD_|NODE_OPTIONS|TAP)/.test(name))
    ),
    SYSTEM: there,
    PATH: `${join(folder, 'bin')}:${join(there, 'usr/local/bin')}:/usr/bin:/bin`,
    GRAPHSTEAD_PORT: String(ports.get('8080'))
  }

  /** Runs the block, and stops any server that it starts. */
  function run(block: string) {
    const here = block
      .replace(/(?<![\w.])\/(etc|usr\/local|var)\//g, `${there}/$1/`)
      .replace(/\b(8080|8443|9464)\b/g, (port) => String(ports.get(port)))
      .replace(
        /^(.*graphstead serve(?! --help).*)$/gm,
        "GRAPHSTEAD_ADMIN_PASSWORD='a long one for tests' until-ready $1"
      )
    return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
      execFile('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr })
      })
    })
  }
  return { run, folder, there }
}

function blocksOf(name: string) {
  const text = readFileSync(join(root, 'docs', name), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/** Runs every block of the document. Returns their output. */
async function follow(t: Test, { run }: Awaited<ReturnType<typeof system>>, name: string) {
  const printed: string[] = []
  for (const block of blocksOf(name)) {
    const { code, stdout, stderr } = await run(block)
    t.equal(code, 0, `${name}: ${block.split('\n')[0]} ${stderr}`)
    if (/graphstead serve(?! --help)/.test(block)) t.match(stderr, /Graphstead is running at http/, block)
    printed.push(stdout)
  }
  t.ok(printed.length > 0)
  return printed
}

t.test('the commands in docs/ work in order', sqlite, async (t) => {
  const machine = await system(t)
  try {
    const installed = await follow(t, machine, 'install.md')
    t.match(installed[1], /\{"status":"ok"\}$/)
    const [served] = await follow(t, machine, 'tls.md')
    t.match(served, /\{"status":"ok"\}$/, 'the server responds over TLS')
    const log = () => readFileSync(join(machine.folder, 'graphstead.log'), 'utf8')
    for (let look = 0; look < 100 && !log().includes('the certificate was reloaded'); look++) await sleep(50)
    t.match(log(), /the certificate was reloaded/)

    const [help, configured] = await follow(t, machine, 'configure.md')
    t.match(help, /Usage: graphstead serve/)
    t.match(configured, /\{"status":"ok"\}/)
    t.match(configured, /graphstead_info\{version="[\d.]+"\} 1/)

    // The other documents assume default settings.
    await machine.run('sudo systemctl stop graphstead; rm /etc/graphstead.env; sudo systemctl start graphstead')
    await machine.run('curl -sS --retry 10 --retry-connrefused http://127.0.0.1:8080/readyz')
    const unsettled = await follow(t, machine, 'troubleshoot.md')
    t.match(unsettled[0], /\{"status":"ok"\}[\s\S]*graphstead\.db is sound/)
    const [signIn] = await follow(t, machine, 'troubleshoot-sign-in.md')
    t.match(signIn, /ada +ADMIN +enabled/)

    t.match((await follow(t, machine, 'upgrade.md'))[1], /\{"status":"ok"\}$/)
    await machine.run('sudo systemctl stop graphstead')
    await follow(t, machine, 'monitor.md')
    const backups = await follow(t, machine, 'backup.md')
    t.match(backups[0], /backup\.db: 1 user/)
    t.match(backups[3], /The old database is now .*graphstead\.db\.before-/)
  } finally {
    await machine.run('sudo systemctl stop graphstead')
  }
})

t.test('this test covers the commands of all documents for operators', async (t) => {
  const named = readFileSync(join(root, 'test/long/documentation.test.ts'), 'utf8')
  const names = ['install', 'tls', 'configure', 'backup', 'upgrade', 'monitor', 'troubleshoot', 'troubleshoot-sign-in']
  for (const name of names) {
    t.ok(blocksOf(`${name}.md`).length > 0 && named.includes(`'${name}.md'`), name)
  }
})
