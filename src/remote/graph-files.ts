import type { Dirent } from 'node:fs'
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

/** The files that the arguments of a command name. */
export interface FoundFiles {
  files: NamedFile[]
  /** How many other entries of folders were skipped, in words. */
  skipped: string[]
}

/**
 * Returns the files, including those in folders with the ending of a format. With `areAll` all files of folders count. Links in
 * folders are not followed: they may lead out, or in a circle.
 */
export async function filesIn(paths: string[], areAll: boolean): Promise<FoundFiles> {
  const files: NamedFile[] = []
  let [others, links] = [0, 0]
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
    if (!isFolder) files.push({ path, name: basename(path) })
    else {
      const inside: string[] = []
      for await (const entry of entriesBelow(path)) {
        if (entry.isSymbolicLink()) links++
        else if (entry.isFile()) inside.push(join(entry.parentPath, entry.name))
      }
      for (const file of inside.sort()) {
        const isGraph = areAll || formatsOfFile(file).length > 0 || /\.zip$/i.test(file)
        if (isGraph) files.push({ path: file, name: relative(path, file).split(sep).join('/') })
        else others++
      }
    }
  }
  const skipped: string[] = []
  if (others > 0) skipped.push(`${others} other ${others === 1 ? 'file' : 'files'} of no known format skipped`)
  if (links > 0) skipped.push(`${links} symbolic ${links === 1 ? 'link' : 'links'} skipped`)
  return { files, skipped }
}

async function* entriesBelow(folder: string): AsyncGenerator<Dirent> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* entriesBelow(join(folder, entry.name))
    else yield entry
  }
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
