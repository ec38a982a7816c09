import { NoteError, readVerifier, type Verifier } from '../../audit/note.ts'
import { Unreadable } from '../../audit/source.ts'
import { BadSetting } from '../settings/config.ts'
import { readText } from './folder.ts'

/** Reads a verifier key of this type, or a file that contains one or more such keys, one per line. Throws BadSetting. */
export async function readKeys(text: string, flag: string, type: Verifier['type']): Promise<Verifier[]> {
  try {
    const isKey = /^[^+\s]+\+[0-9a-f]{8}\+\S+$/.test(text)
    const lines = isKey ? [text] : (await readText(text)).split(/\r?\n/).filter((line) => line.trim() !== '')
    const keys = lines.map(readVerifier)
    if (keys.length === 0) throw new NoteError(`${text} contains no key`)
    if (keys.some((key) => key.type !== type)) throw new NoteError('the key has the wrong type')
    return keys
  } catch (error) {
    if (error instanceof NoteError || error instanceof Unreadable) throw new BadSetting(`${flag}: ${error.message}`)
    throw error
  }
}
