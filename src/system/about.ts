import { isSea } from 'node:sea'
import { version } from './version.ts'

/** How this program was built: one file, a package of npm, or the sources. */
function build(): 'executable' | 'package' | 'source' {
  if (isSea()) return 'executable'
  return import.meta.url.endsWith('.js') ? 'package' : 'source'
}

/** Returns the program and what it runs on, as `--version --json` prints it. */
export async function describeProgram() {
  // Only these commands need them.
  const [sqlite, postgres] = await Promise.all([
    import('../../db/migrations/sqlite/index.ts'),
    import('../../db/migrations/postgres/index.ts')
  ])
  return {
    version,
    build: build(),
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    /** The numbers of the schemas that this version has. */
    schema: { sqlite: sqlite.migrations.length, postgres: postgres.migrations.length }
  }
}
