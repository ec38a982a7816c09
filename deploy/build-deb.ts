import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sourceDate } from './source-date.ts'

// npm run build:deb [-- arm64] packs the executable that `npm run build:exe -- --target …` has built for Debian and Ubuntu,
// with a user and a service, as dist/graphstead_VERSION_ARCHITECTURE.deb. Needs dpkg-deb. The layout follows Debian Policy 4.6.

const EXECUTABLES: Record<string, string> = { amd64: 'graphstead-linux-x64', arm64: 'graphstead-linux-arm64' }
const MAINTAINER = 'The Graphstead authors <authors@graphstead.invalid>'

const root = join(import.meta.dirname, '..')
const files = join(import.meta.dirname, 'debian')
const architecture = process.argv[2] ?? 'amd64'
const executable = EXECUTABLES[architecture]
if (!executable)
  throw new Error(`no package for ${architecture}: the architectures are ${Object.keys(EXECUTABLES).join(' and ')}`)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const date = sourceDate()
const work = mkdtempSync(join(tmpdir(), 'graphstead-deb-'))

/** Writes a file to this path in the package. */
function put(path: string, content: string | Buffer, mode = 0o644) {
  const file = join(work, path)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o755 })
  writeFileSync(file, content)
  chmodSync(file, mode)
}

function read(...path: string[]) {
  return readFileSync(join(...path), 'utf8')
}

/** Compresses text without storing a timestamp. */
function packed(content: string) {
  return gzipSync(content, { level: 9 })
}

/** Adds the documentation. Large files are compressed, as the policy requires. */
function putDocumentation() {
  const folder = 'usr/share/doc/graphstead'
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  for (const document of documents) {
    const text = read(root, 'docs', document)
    // In the package, README.md is the project's README.
    const name = document === 'README.md' ? 'index.md' : document
    if (text.length > 4096) put(join(folder, `${name}.gz`), packed(text))
    else put(join(folder, name), text)
  }
  put(join(folder, 'README.md.gz'), packed(read(root, 'README.md')))
  const entry = [
    `graphstead (${version}) unstable; urgency=medium`,
    '  * Release; README.md.gz names the changelog.',
    ` -- ${MAINTAINER}  ${date.toUTCString().replace('GMT', '+0000')}`
  ]
  put(join(folder, 'changelog.gz'), packed(`${entry.join('\n\n')}\n`))
  put(join(folder, 'NEWS.md.gz'), packed(read(root, 'CHANGELOG.md')))
  put(join(folder, 'copyright'), copyright())
  put(join(folder, `${executable}.cdx.json.gz`), packed(read(root, 'dist', `${executable}.cdx.json`)))
  put('usr/share/man/man1/graphstead.1.gz', packed(read(files, 'graphstead.1')))
}

/** Returns the licence in Debian's machine-readable format 1.0. */
function copyright() {
  const [, owner = '', ...terms] = read(root, 'LICENSE').trim().split('\n\n')
  const text = terms.join('\n\n').replaceAll('\n\n', '\n.\n').replaceAll('\n', '\n ')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Graphstead
Comment: The licences of the packages within the program are in ${executable}.cdx.json.gz.

Files: *
${owner.replace('Copyright (c)', 'Copyright:')}
License: MIT

License: MIT
 ${text}
`
}

try {
  mkdirSync(join(work, 'usr/bin'), { recursive: true })
  copyFileSync(join(root, 'dist', executable), join(work, 'usr/bin/graphstead'))
  chmodSync(join(work, 'usr/bin/graphstead'), 0o755)
  const unit = read(import.meta.dirname, 'graphstead.service').replace(/^#.*\n/, '')
  put('usr/lib/systemd/system/graphstead.service', unit.replace('/usr/local/bin/', '/usr/bin/'))
  put('etc/graphstead.env', read(files, 'graphstead.env'), 0o600)
  put('usr/share/lintian/overrides/graphstead', read(files, 'lintian-overrides'))
  putDocumentation()
  const size = Number(execFileSync('du', ['-sk', '--apparent-size', work], { encoding: 'utf8' }).split('\t')[0])
  put('DEBIAN/conffiles', '/etc/graphstead.env\n')
  put(
    'DEBIAN/control',
    `Package: graphstead
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8), libatomic1, adduser
Section: database
Priority: optional
Description: server that stores graphs, shares them, and records all changes
 Graphstead stores graphs (networks of nodes and edges), and has a REST API
 and a web app. It shares graphs between people, draws and converts them,
 keeps every version, and has an audit trail.
`
  )
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, read(files, script), 0o755)
  // The umask may have changed the modes of folders.
  for (const { parentPath, name } of readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory()
  )) {
    chmodSync(join(parentPath, name), 0o755)
  }
  chmodSync(work, 0o755)
  const output = join(root, 'dist', `graphstead_${version}_${architecture}.deb`)
  // All timestamps in the package are set to the source date, so that builds are reproducible.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', work, output], { env, stdio: 'inherit' })
  console.log(`${basename(output)}: ${(statSync(output).size / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
