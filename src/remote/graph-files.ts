import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { formatsOfFile, writableFormatNamed, writableFormats } from '../../graph/formats/index.ts'
import { optionalText } from '../../schemas/types.ts'
import { BadSetting } from '../settings/config.ts'

/** A file that the arguments of a command name. */
export interface NamedFile {
  path: string
  /** Its name; in a folder its path from there, with slashes. */
  name: string
}

/**
 * Returns the files, including those in folders with the ending of a format, and the number of other files there. With
 * `areAll` all files of folders count.
 */
export async function filesIn(paths: string[], areAll: boolean): Promise<{ files: NamedFile[]; others: number }> {
  const files: NamedFile[] = []
  let others = 0
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
    if (!isFolder) files.push({ path, name: basename(path) })
    else {
      const entries = await readdir(path, { withFileTypes: true, recursive: true })
      const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      for (const file of inside.sort()) {
        const isGraph = areAll || formatsOfFile(file).length > 0 || /\.zip$/i.test(file)
        if (isGraph) files.push({ path: file, name: relative(path, file).split(sep).join('/') })
        else others++
      }
    }
  }
  return { files, others }
}

/** The setting that names the format of a written file. */
export const formatSetting = optionalText({
  description: `the format of the file: ${writableFormats.map(({ name }) => name).join(', ')}`
})

/** Returns the format of a file to be written: the one of this name, or that of the file's ending. Throws BadSetting. */
export function formatFor(file: string, name: string | undefined) {
  const wanted = name ?? formatsOfFile(file).find(({ write }) => write)?.name
  const format = wanted === undefined ? undefined : writableFormatNamed(wanted)
  if (format) return format
  const names = writableFormats.map(({ name }) => name).join(', ')
  throw new BadSetting(`--format is missing or not one of ${names}, and the ending of ${file} is unknown`)
}
