import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { archive } from '../../deploy/archive.ts'
import { filled, notesOf } from '../../deploy/release-texts.ts'
import { only } from '../support/engine.ts'
import { root } from '../support/program.ts'

// .ci/run makes a release, and .ci/release.py checks it.

const sqlite = only('SQLite', 'it tests files')
const changelog =
  '# Changelog\n\nChanges.\n\n## 2.1.0 (unreleased)\n\n- New.\n- Newer.\n\n## 2.0.0 (2026-01-02)\n\n- Old.\n'
const executables =
  '# Executables\n\n## How they are built\n\nWell.\n\n## How thoroughly they are tested\n\n- **macOS**: nobody.\n'

const values = {
  version: '1.2.3',
  url: 'https://files.example',
  ...Object.fromEntries(
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64'].map((target) => [
      `sha256 of ${target}`,
      `the hash of ${target}`
    ])
  )
}
const recipe = (path: string) => filled(readFileSync(join(root, 'deploy', path), 'utf8'), values)

t.test('the notes have the newest changes, and how well the executables are tested', sqlite, async (t) => {
  const notes =
    '# Graphstead 2.1.0 (unreleased)\n\n- New.\n- Newer.\n\n## How thoroughly the executables are tested\n\n- **macOS**: nobody.\n'
  t.equal(notesOf('2.1.0', changelog, executables), notes)
  t.throws(() => notesOf('2.0.0', changelog, executables), {
    message: 'package.json has version 2.0.0, and the newest of CHANGELOG.md is 2.1.0 (unreleased)'
  })
  t.throws(() => notesOf('2.1.0', '# Changelog\n', executables), {
    message: 'no section of the document begins with “”'
  })
  t.throws(() => notesOf('2.1.0', changelog, '# Executables\n'), {
    message: 'no section of the document begins with “How thoroughly they are tested”'
  })
})

t.test('the notes of this version say that nobody has run the macOS files', sqlite, async (t) => {
  const [version, changes, tried] = ['package.json', 'CHANGELOG.md', 'docs/executables.md'].map((path) =>
    readFileSync(join(root, path), 'utf8')
  ) as [string, string, string]
  t.match(notesOf(JSON.parse(version).version, changes, tried), '**macOS**: nobody has run these files yet.')
})

t.test('a recipe with an unknown placeholder is refused', sqlite, async (t) => {
  t.equal(filled('a {{version}} b {{url}}', values), 'a 1.2.3 b https://files.example')
  for (const name of ['nothing', 'constructor'])
    t.throws(() => filled(`a {{${name}}}`, values), {
      message: `a recipe needs ${name}, which the release does not have`
    })
})

t.test('the manifest for Scoop has the file and its hash', sqlite, async (t) => {
  const { description, notes, ...manifest } = JSON.parse(recipe('scoop/graphstead.json'))
  t.match(description, /^\S.{20,79}$/)
  t.ok(notes.every((note: unknown) => typeof note === 'string'))
  t.strictSame(manifest, {
    version: '1.2.3',
    homepage: 'https://files.example',
    license: 'MIT',
    architecture: {
      '64bit': { url: 'https://files.example/v1.2.3/graphstead-1.2.3-win-x64.zip', hash: 'the hash of win-x64' }
    },
    bin: 'graphstead.exe',
    env_set: { GRAPHSTEAD_DATA: '$persist_dir\\data' },
    persist: 'data',
    checkver: { url: 'https://files.example/latest/SHA256SUMS', regex: 'graphstead-([\\d.]+)-win-x64\\.zip' },
    autoupdate: {
      architecture: { '64bit': { url: 'https://files.example/v$version/graphstead-$version-win-x64.zip' } },
      hash: { url: '$baseurl/SHA256SUMS' }
    }
  })
  const line = 'abc  graphstead-1.2.3-win-x64.zip\n'
  t.equal(new RegExp(manifest.checkver.regex).exec(line)?.[1], '1.2.3')
})

t.test('the formula for Homebrew has the file and hash of each machine', sqlite, async (t) => {
  const formula = recipe('homebrew/graphstead.rb')
  const pairs = [...formula.matchAll(/^ +url "(.*\/v1.*)"\n +sha256 "(.*)"$/gm)].map(([, url, hash]) => [url, hash])
  t.strictSame(
    pairs,
    ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((target) => [
      `https://files.example/v1.2.3/graphstead-1.2.3-${target}.tar.xz`,
      `the hash of ${target}`
    ])
  )
})

for (const end of ['tar.xz', 'zip'])
  t.test(`identical files with other times, modes and folders give identical bytes as ${end}`, sqlite, async (t) => {
    const folder = t.testdir({})
    const [first, second] = ['one', 'two'].map((name, index) => {
      const made = join(folder, name)
      mkdirSync(made)
      const names = ['README.md', 'graphstead', 'LICENSE']
      for (const file of index === 0 ? names : names.reverse()) {
        writeFileSync(join(made, file), `${file}\n`, { mode: index === 0 ? 0o600 : 0o755 })
        utimesSync(join(made, file), 1e9, 1e9 * (index + 1))
      }
      const path = join(folder, `${name}.${end}`)
      archive(path, made)
      return { bytes: readFileSync(path), path }
    }) as [{ bytes: Buffer; path: string }, { bytes: Buffer }]
    t.ok(first.bytes.equals(second.bytes))
    const [command, options] = end === 'zip' ? ['zip', '-sf'] : ['tar', '-tvf']
    const listed = execFileSync(command, [options, first.path], { encoding: 'utf8' })
    const found = [...listed.matchAll(/^(\S+ \d\/\d|) .*?(\S+)$/gm)].map(([, mode, name]) => [mode, name])
    const [text, program] = end === 'zip' ? ['', ''] : ['-rw-r--r-- 0/0', '-rwxr-xr-x 0/0']
    t.strictSame(found, [
      [text, 'LICENSE'],
      [text, 'README.md'],
      [program, 'graphstead']
    ])
  })

t.test('without --dry-run nothing is made', sqlite, async (t) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'deploy/release.ts')], { encoding: 'utf8' })
  t.equal(status, 1)
  t.equal(
    stderr,
    'release: this command cannot publish: --dry-run makes the files, and docs/release.md explains the rest\n'
  )
})
