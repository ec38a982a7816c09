import type { GraphContent } from '../../schemas/graph-content.ts'

// A search without an index, for comparison. It scans all contents that a user may read, and splits words independently. It
// supports scripts with spaces, Han and Hangul.

export interface Scanned {
  id: number
  name: string
  description?: string
  tags?: string[]
  content?: GraphContent | null
}

/**
 * The words of an element or graph. The characters of unspaced scripts are in `runs`, which keep adjacent characters together.
 */
interface Words {
  words: Set<string>
  runs: string[]
}

const small = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Splits text at all characters other than letters and digits, and between Han or Hangul and other letters. */
function runsOf(text: string) {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC')
  return bare.match(/[\p{Script=Han}\p{Script=Hangul}]+|(?:(?![\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{N}])+/gu) ?? []
}

const isUnspaced = (run: string) => /[\p{Script=Han}\p{Script=Hangul}]/u.test(run)

/** Splits before a capital that follows a lower-case letter, before the last of several capitals, and after a digit. */
function humpsOf(run: string) {
  const parts = run.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/([\p{Lu}\p{Nd}])(\p{Lu}\p{Ll})/gu, '$1 $2')
  return parts.split(' ')
}

function wordsOf(texts: readonly string[]): Words {
  const words = new Set<string>()
  const runs: string[] = []
  for (const run of texts.flatMap(runsOf)) {
    if (isUnspaced(run)) runs.push(run)
    else for (const word of [run, ...humpsOf(run)]) words.add(small(word))
  }
  return { words, runs }
}

type Test = (words: Words) => boolean

/** Returns a test for each part of the query. */
function testsOf(q: string): Test[] {
  const runs = runsOf(q)
  return runs.flatMap((run, index): Test[] => {
    if (isUnspaced(run)) {
      const characters = [...run]
      const pairs = characters.length === 1 ? characters : characters.slice(1).map((next, i) => characters[i] + next)
      return pairs.map(
        (pair) =>
          ({ runs }) =>
            runs.some((run) => run.includes(pair))
      )
    }
    const isLast = index === runs.length - 1
    const has = (words: Set<string>, word: string, isLast: boolean) =>
      words.has(word) || (isLast && [...word].length >= 3 && [...words].some((other) => other.startsWith(word)))
    const humps = humpsOf(run).map(small)
    return humps.map((hump, place) => ({ words }) => {
      return has(words, small(run), isLast) || has(words, hump, isLast && place === humps.length - 1)
    })
  })
}

function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' ? Object.values(value).flatMap(valuesOf) : [String(value)]
}

/** The words of a graph as a whole, and of each element. Both characters of a pair must come from the same string. */
interface ScannedWords {
  all: Words
  elements: { pointer: string; words: Words }[]
}

function read({ name, description = '', tags = [], content }: Scanned): ScannedWords {
  const { label, metadata, nodes = [], edges = [] } = content ?? {}
  const elements = [
    ...nodes.map(
      ({ id, label, metadata }, index) => [`#/nodes/${index}`, [id, ...valuesOf([label, metadata])]] as const
    ),
    ...edges.map(
      ({ label, relation, metadata }, index) => [`#/edges/${index}`, valuesOf([label, relation, metadata])] as const
    )
  ]
  const all = [name, description, ...tags, ...valuesOf([label, metadata]), ...elements.flatMap(([, texts]) => texts)]
  return { all: wordsOf(all), elements: elements.map(([pointer, texts]) => ({ pointer, words: wordsOf(texts) })) }
}

const known = new WeakMap<Scanned, ScannedWords>()

/** Returns the ids of the graphs that contain all words of the query, newest first, with pointers to up to 10 elements. */
export function scan(graphs: Scanned[], q: string): { id: number; pointers: string[] }[] {
  const tests = testsOf(q)
  const found = graphs.flatMap((graph) => {
    const words = known.get(graph) ?? read(graph)
    known.set(graph, words)
    if (!tests.every((test) => test(words.all))) return []
    const matches = words.elements
      .map(({ pointer, words }) => ({ pointer, count: tests.filter((test) => test(words)).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
    return [{ id: graph.id, pointers: matches.slice(0, 10).map(({ pointer }) => pointer) }]
  })
  return found.sort((a, b) => b.id - a.id)
}
