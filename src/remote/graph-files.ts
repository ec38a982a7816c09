import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { formatsOfFile, writableFormatNamed, writableFormats } from '../../graph/formats/index.ts'
import { optionalText } from '../../schemas/types.ts'
import { BadSetting } from '../settings/config.ts'

/** A file that is named in a command's arguments. */
export interface NamedFile {
  path: string
  /** The file name. For a file in a folder, its path relative to the folder, with slashes. */
  name: string
}

/** The files specified in a command's arguments. */
export interface FoundFiles {
  files: NamedFile[]
  /** Phrases that say how many other files and how many symbolic links were skipped. */
  skipped: string[]
}

/**
 * Returns the files, including those in folders that have the extension of a format. With `areAll`, includes all files in
 * folders. Does not follow symbolic links in folders, because they may lead outside or form a cycle.
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
  if (others > 0) skipped.push(`${others} other ${others === 1 ? 'file' : 'files'} of unknown format skipped`)
  if (links > 0) skipped.push(`${links} symbolic ${links === 1 ? 'link' : 'links'} skipped`)
  return { files, skipped }
}

async function* entriesBelow(folder: string): AsyncGenerator<Dirent> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* entriesBelow(join(folder, entry.name))
    else yield entry
  }
}

/** The setting for the format of an output file. */
export const formatSetting = optionalText({
  description: `format of the file: ${writableFormats.map(({ name }) => name).join(', ')}`
})

/** Returns the format of an output file, by format name if given or else by file extension. Throws BadSetting. */
export function formatFor(file: string, name: string | undefined) {
  const wanted = name ?? formatsOfFile(file).find(({ write }) => write)?.name
  const format = wanted === undefined ? undefined : writableFormatNamed(wanted)
  if (format) return format
  const names = writableFormats.map(({ name }) => name).join(', ')
  throw new BadSetting(
    `--format must be one of ${names}, or the file must have an extension that determines the format`
  )
}
