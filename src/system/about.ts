import { isSea } from 'node:sea'
import { version } from './version.ts'

/** Returns how this program was built: as a single executable, as an npm package, or not at all. */
function build(): 'executable' | 'package' | 'source' {
  if (isSea()) return 'executable'
  return import.meta.url.endsWith('.js') ? 'package' : 'source'
}

/** Describes the program and its platform, as printed by `--version --json`. */
export async function describeProgram() {
  // Load these on demand, because only a few commands need them.
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
    /** The schema versions that this program supports. */
    schema: { sqlite: sqlite.migrations.length, postgres: postgres.migrations.length }
  }
}
