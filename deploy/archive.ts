import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sourceDate } from './source-date.ts'

/**
 * Packs the files of a folder as `.tar.xz` or `.zip`, depending on the path's extension. Names are sorted, and all timestamps
 * are the source date, so that identical files produce identical archives.
 */
export function archive(path: string, folder: string) {
  const date = sourceDate()
  const names = readdirSync(folder).sort()
  for (const name of names) {
    chmodSync(join(folder, name), /^graphstead(\.exe)?$/.test(name) ? 0o755 : 0o644)
    utimesSync(join(folder, name), date, date)
  }
  // Zip files store local times.
  const options = { cwd: folder, env: { ...process.env, TZ: 'UTC' }, stdio: 'inherit' } as const
  if (path.endsWith('.zip')) execFileSync('zip', ['-q', '-X', '-9', path, ...names], options)
  else {
    const owner = ['--owner=0', '--group=0', '--numeric-owner']
    // The number of threads is fixed, because the output depends on it. Level 6 takes three times as long and reduces the size
    // by only a tenth.
    const how = ['--format=ustar', ...owner, '--use-compress-program=xz -3 -T2']
    execFileSync('tar', [...how, '--create', '--file', path, ...names], options)
  }
}
