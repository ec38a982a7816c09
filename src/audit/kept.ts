import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readHead, readProof } from '../../audit/checkpoint.ts'
import type { Kept } from '../../audit/kept.ts'
import { NoteError, splitNote } from '../../audit/note.ts'
import { Unreadable } from '../../audit/source.ts'
import { isFile, LONGEST_TEXT, readLeaves, readLines, readStart, readText } from './folder.ts'

/**
 * Opens a piece of evidence: a checkpoint, a `.tlog-proof` that contains a checkpoint, lines of an export, or a folder with the
 * checkpoint, tiles or lines of an export. Throws Unreadable.
 */
export async function openKept(path: string): Promise<Kept> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Unreadable(`${path} does not exist`)
  return found.isDirectory() ? openKeptFolder(path) : openKeptFile(path)
}

async function openKeptFile(path: string): Promise<Kept> {
  const start = await readStart(path, LONGEST_TEXT)
  if (!start || start.length === 0) throw new Unreadable(`${path} is empty`)
  const text = start.toString()
  if (text.startsWith('{')) return { name: path, lines: () => readLines(path) }
  return { name: path, checkpoint: checkpointIn(path, text) }
}

async function openKeptFolder(path: string): Promise<Kept> {
  const [checkpoint, lines] = [join(path, 'checkpoint'), join(path, 'events.jsonl')]
  const kept: Kept = { name: path }
  if (await isFile(checkpoint)) kept.checkpoint = checkpointIn(checkpoint, await readText(checkpoint))
  if (await isFolder(join(path, 'tile', '0'))) {
    const size = kept.checkpoint === undefined ? undefined : readHead(splitNote(kept.checkpoint).text).size
    kept.leaves = () => readLeaves(path, size)
  } else if (await isFile(lines)) {
    kept.lines = () => readLines(lines)
  } else if (kept.checkpoint === undefined) {
    throw new Unreadable(`${path} contains no checkpoint, tiles or events.jsonl`)
  }
  return kept
}

/** Returns the checkpoint in the text, which is either a checkpoint itself or a proof that contains one. Throws Unreadable. */
function checkpointIn(path: string, text: string): string {
  try {
    const note = text.startsWith('c2sp.org/tlog-proof@') ? readProof(text).checkpoint : text
    readHead(splitNote(note).text)
    return note
  } catch (error) {
    if (error instanceof NoteError)
      throw new Unreadable(`${path} is neither a checkpoint nor an export: ${error.message}`)
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
