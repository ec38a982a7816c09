import { NewGraph } from '../schemas/graph.ts'
import { lazyValidatorOf } from '../schemas/validation.ts'
import { formatsOfFile } from './formats/index.ts'

const isName = lazyValidatorOf(NewGraph.properties.name)

/** The name of a file without the ending of its format, as the name of a graph. */
export function fileStem(file: string): string {
  const name = file.toLowerCase()
  const endings = formatsOfFile(file).flatMap((format) => format.endings.filter((ending) => name.endsWith(ending)))
  const stem = file.slice(0, file.length - Math.max(0, ...endings.map((ending) => ending.length)))
  return isName(stem) ? stem : 'graph'
}

/** The name of a graph as that of a file, safe on every system. */
export function safeFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    // What means something in paths, what cannot be seen, and what turns the direction of the text around.
    .replace(/[<>:"/\\|?*%\p{C}\p{Zl}\p{Zp}]+/gu, '-')
    .replace(/^[.\s-]+/, '')
  const short = [...safe.slice(0, endOf(safe))].slice(0, 80).join('').trim()
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short.split('.')[0] ?? '')
  return short === '' || isDevice ? 'graph' : short
}

/** Where the text ends without the dots, dashes and spaces at its end. (A pattern would look from each of them to the end.) */
function endOf(text: string) {
  let end = text.length
  while (end > 0 && /[.\s-]/.test(text[end - 1] as string)) end--
  return end
}
