import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '..', '..')

/** A regular expression in the sources, with its location. */
export interface Found {
  where: string
  pattern: RegExp
}

/** Finds all regular expression literals in the TypeScript files of a folder, and the places that build one from a string. */
export function patternsOf(folder: string): { literals: Found[]; made: string[] } {
  const literals: Found[] = []
  const made = new Set<string>()
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((name) => name.endsWith('.ts'))) {
    const file = `${folder}/${name}`
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, text = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
        const { line } = source.getLineAndCharacterOfPosition(node.pos)
        literals.push({ where: `${file}:${line + 1}`, pattern: new RegExp(text, flags) })
      } else if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
        made.add(file)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { literals, made: [...made].sort() }
}

/** Lists every `pattern` in a schema or a document of schemas. */
export function patternsWithin(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'pattern' && typeof item === 'string' ? [item] : patternsWithin(item, seen)
  )
}

/** Returns characters that the pattern distinguishes: those it contains, one from each class, and some others. */
function alphabetOf({ source }: RegExp): string[] {
  const plain = source
    .replace(/\\u\{?([0-9a-fA-F]{2,6})\}?|\\x([0-9a-fA-F]{2})/g, (_, long, short) =>
      String.fromCodePoint(Math.min(Number.parseInt(long ?? short, 16), 0x10ffff))
    )
    .replace(/\\p\{[^}]*\}/gi, 'é')
    .replace(/\\([sSdDwWbBnrtvf0])/g, (_, name: string) => CLASSES[name] ?? '')
    .replace(/\\(.)/gs, '$1')
  return [...new Set([...plain.slice(0, 60), ...' a1"!\n\u0000'])].slice(0, 26)
}

const CLASSES: Record<string, string> = {
  s: ' ',
  S: 'a',
  d: '1',
  D: 'a',
  w: 'a',
  W: ' ',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  f: '\f',
  '0': '\0'
}

/** Returns the literal parts of the pattern, one by one and joined. They match the pattern up to its repetitions. */
function beginningsOf({ source }: RegExp): string[] {
  const plain = source.replace(/\\[sSdDwWbBpPnrtvf0]/g, ' ').replace(/\\(?![ux])/g, '')
  const runs = (plain.match(/[\w<>"'#;=:/%,&@-]+/g) ?? []).slice(0, 6)
  return [...new Set([...runs, ...runs.map((_, index) => runs.slice(0, index + 1).join(''))])].slice(0, 10)
}

/** Returns the wall-clock time of one match in milliseconds. Thread CPU time has a resolution of 4 ms on some machines. */
function timeOf(pattern: RegExp, text: string) {
  const start = performance.now()
  pattern.lastIndex = 0
  if (pattern.global) text.replace(pattern, '')
  else pattern.test(text)
  return performance.now() - start
}

function bestOf(rounds: number, pattern: RegExp, text: string) {
  return Math.min(...Array.from({ length: rounds }, () => timeOf(pattern, text)))
}

const LENGTH = 2000

/** Finds an input for which the pattern takes quadratic time or worse: a start, a repetition and an end. */
export function slowInput(pattern: RegExp): string | undefined {
  const alphabet = alphabetOf(pattern)
  const beginnings = ['', ...beginningsOf(pattern), ...alphabet.slice(0, 10)]
  const ends = ['', '!', '\u0000', '\u2028', '\n!']
  const pairs = alphabet.slice(0, 10).flatMap((a) => alphabet.slice(0, 10).map((b) => a + b))
  const tries: [string[], string[], string[]][] = [
    [beginnings, alphabet, ends],
    [beginnings.slice(0, 4), pairs.filter(([a, b]) => a !== b), ['', '!']]
  ]
  for (const [starts, repeated, tails] of tries) {
    for (const unit of repeated) {
      for (const start of starts) {
        for (const end of tails) {
          const text = (length: number) => start + unit.repeat(length / unit.length) + end
          // A pattern with two choices at each step takes exponential time, so it would never finish on longer input.
          if (timeOf(pattern, text(22)) > 5 && bestOf(2, pattern, text(22)) > 5)
            return JSON.stringify([start, unit, end])
          const begin = performance.now()
          pattern.lastIndex = 0
          pattern.test(text(LENGTH))
          // A linear pattern takes microseconds. Since other processes affect the time, a slow match is measured again.
          if (performance.now() - begin < 0.3 || bestOf(3, pattern, text(LENGTH)) < 0.3) continue
          const isQuadratic = (rounds: number) => {
            const [once = 0, twice = 0, fourfold = 0] = [2, 4, 8].map((times) =>
              bestOf(rounds, pattern, text(times * LENGTH))
            )
            return fourfold > 9 * once && twice > 2.5 * once
          }
          // Under load, three rounds may all be slow.
          if (isQuadratic(3) && isQuadratic(10)) return JSON.stringify([start, unit, end])
        }
      }
    }
  }
  return undefined
}
