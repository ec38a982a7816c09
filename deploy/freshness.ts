import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Returns whether all targets are newer than the sources, which may be files or folders, and than the packages. */
export function isCurrent(targets: string[], sources: string[]): boolean {
  const built = targets.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const changed = [...sources, 'package-lock.json'].map((source) => {
    const path = join(root, source)
    const stats = statSync(path)
    // Removing a file updates the folder's modification time.
    return Math.max(stats.mtimeMs, stats.isDirectory() ? newestOf(path) : 0)
  })
  return Math.min(...built) > Math.max(...changed)
}

function newestOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
}
