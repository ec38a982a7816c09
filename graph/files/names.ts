import { GraphCreate } from '../../schemas/graph.ts'
import { lazyValidatorOf } from '../../schemas/validation.ts'
import { formatsOfFile } from '../formats/index.ts'

const isName = lazyValidatorOf(GraphCreate.properties.name)

/** Derives a graph's name from a file name by removing the extensions for compression and format. */
export function fileStem(packed: string): string {
  const file = packed.replace(/\.(?:gz|zst|zip)$/i, '')
  const name = file.toLowerCase()
  const endings = formatsOfFile(file).flatMap((format) => format.endings.filter((ending) => name.endsWith(ending)))
  const stem = file.slice(0, file.length - Math.max(0, ...endings.map((ending) => ending.length)))
  return isName(stem) ? stem : 'graph'
}

/** Turns a graph's name into a file name that is safe on every system. */
export function safeFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    // Path separators and wildcards, invisible characters, and bidirectional marks.
    .replace(/[<>:"/\\|?*%\p{C}\p{Zl}\p{Zp}]+/gu, '-')
    .replace(/^[.\s-]+/, '')
  const short = [...safe.slice(0, endOf(safe))].slice(0, 80).join('').trim()
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short.split('.')[0] ?? '')
  return short === '' || isDevice ? 'graph' : short
}

/** Returns the length of the text without trailing dots, dashes and spaces. (A regular expression would take quadratic time.) */
function endOf(text: string) {
  let end = text.length
  while (end > 0 && /[.\s-]/.test(text[end - 1] as string)) end--
  return end
}
