import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readHead, witnessText } from '../../audit/checkpoint.ts'
import { openNote, readVerifier, splitNote } from '../../audit/note.ts'
import { pathOf, widthOf } from '../../audit/tiles.ts'
import { fetchFrom, type Source } from './log.ts'
import type { Outcome } from './tally.ts'

// The work of `graphstead audit export --tiles` and `graphstead audit witness` by HTTP, until the program has these commands.

/** Writes the tree of the last checkpoint into a folder. */
export async function exportByHttp(log: Source, folder: string): Promise<Outcome> {
  const checkpoint = `${await fetchFrom(log, 'log/checkpoint')}`
  const { size } = readHead(splitNote(checkpoint).text)
  for (const path of ['checkpoint', 'key', ...pathsOf(size)]) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), await fetchFrom(log, `log/${path}`))
  }
  return { succeeded: true, printed: '', output: '' }
}

/** Lists the paths of the tiles and bundles of a tree of this size. */
function* pathsOf(size: number) {
  for (const level of ['entries', 0, 1, 2] as const) {
    for (let index = 0; widthOf(level, index, size) > 0; index++) {
      yield pathOf({ level, index, width: widthOf(level, index, size) })
    }
  }
}

/** Asks a witness to sign the last checkpoint; once more if it knows another size than 0. */
export async function witnessByHttp(log: Source, url: string, key: string): Promise<Outcome> {
  const checkpoint = `${await fetchFrom(log, 'log/checkpoint')}`
  const { size } = readHead(splitNote(checkpoint).text)
  const ask = async (old: number) => {
    const { hashes } = old === 0 ? { hashes: [] } : JSON.parse(`${await fetchFrom(log, `log/consistency?from=${old}`)}`)
    const proof = hashes.map((hash: string) => Buffer.from(hash, 'base64'))
    const body = witnessText({ old, hashes: proof, checkpoint })
    const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
    return { status: answer.status, text: await answer.text() }
  }
  let answer = await ask(0)
  if (answer.status === 409 && Number(answer.text) <= size) answer = await ask(Number(answer.text))
  const output = `the witness answers ${answer.status}: ${answer.text}`
  if (answer.status !== 200) return { succeeded: false, printed: '', output }
  const signed = `${checkpoint}${answer.text}`
  openNote(signed, [readVerifier(key)])
  return { succeeded: true, printed: signed, output: signed }
}
