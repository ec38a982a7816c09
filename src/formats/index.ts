import type { Format } from './format.ts'
import { jsonGraphFormat } from './json-graph-format.ts'

/** Every format that Graphstead knows. */
export const formats: readonly Format[] = [jsonGraphFormat]

/** The format that the name of a file tells, or undefined. The longest ending wins. */
export function formatOfFile(name: string): Format | undefined {
  const matches = formats.flatMap((format) =>
    format.endings.filter((ending) => name.toLowerCase().endsWith(ending)).map((ending) => ({ format, ending }))
  )
  return matches.sort((a, b) => b.ending.length - a.ending.length)[0]?.format
}
