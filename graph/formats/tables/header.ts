import type { Vocabulary } from '../shared/attributes.ts'
import { isNumber } from '../shared/cell-types.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import { endsByName, neo4jColumn, nodeIdIn } from './names.ts'

export const tableVocabulary = {
  /** The column names with a special meaning in tables of edges, in lower case. */
  taken: new Set(['source', 'target', 'type', 'id', 'label', 'relation', 'weight']),
  nameFor: (name, isTaken) =>
    (isTaken && name !== 'weight') || name === '' || name.startsWith('metadata.') ? `metadata.${name}` : name
} satisfies Vocabulary

/** Returns the unescaped text of a cell. */
export type TextOf = (cell: string) => string

/** Returns a function that prefixes ids with the name of their id space, and counts them. */
export function withSpace(space: string, textOf: TextOf, into: GraphBuilder): TextOf {
  return (cell) => {
    into.losses.add('id-replaced')
    return `${space}:${textOf(cell)}`
  }
}

/**
 * The column names of a table. They come from the first row, which may turn out to contain data, or from a comment above it.
 */
export class TableHeader {
  readonly cells: string[]
  readonly at: number
  readonly isInComment: boolean
  readonly #peek: TextOf
  #typed: boolean | undefined

  constructor({ cells, at }: Row, isInComment: boolean, peek: TextOf) {
    this.cells = cells
    this.at = at
    this.isInComment = isInComment
    this.#peek = peek
  }

  /** The number of columns. */
  get width() {
    return this.cells.length
  }

  /** Whether the header is a comment, or any column names are typical of tables of edges or nodes. */
  get hasKnownNames() {
    const { cells } = this
    return this.isInComment || endsByName(cells, () => false) !== undefined || nodeIdIn(cells) !== undefined
  }

  /** Returns the column with this name, or with this number, counted from 1. */
  find(name: string): { index: number; isName: boolean } | undefined {
    const { cells } = this
    // Numbers in the first row are not column names.
    const isData = !this.hasKnownNames && cells.some((cell) => isNumber(cell))
    const texts = cells.map((cell) => this.#peek(cell))
    const plain = name.trim().toLowerCase()
    const exact = texts.indexOf(name)
    const index = exact >= 0 ? exact : texts.findIndex((text) => text.trim().toLowerCase() === plain)
    const number = Number(/^(?:column )?(\d{1,6})$/.exec(plain)?.[1] ?? 0)
    const isPlace = number >= 1 && number <= cells.length
    if (index >= 0 && plain !== '' && !(isPlace && isData)) return { index, isName: true }
    return isPlace ? { index: number - 1, isName: false } : undefined
  }

  /** Returns the error for an unknown column name. */
  unknownColumn(name: string) {
    const detail = `starts a table without a column ${quote(name)}. The table has ${this.list(true)}`
    return new Unreadable(this.at, 'unknown-column', detail)
  }

  /** Lists the columns for use in a sentence. */
  list(hasHeader: boolean) {
    const names = this.namesOf(hasHeader)
    const some = names.slice(0, 12).map(quote).join(', ')
    return `the columns ${some}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
  }

  /** Returns the display names of the columns: numbers if the first row is not a header. */
  namesOf(hasHeader: boolean) {
    return this.cells.map((cell, index) => (hasHeader && cell !== '' ? this.#peek(cell) : `column ${index + 1}`))
  }

  /** Returns the attribute name for a column. Names with a special meaning are converted to lower case. */
  attributeName(index: number) {
    const text = this.#peek(this.cells[index] as string)
    const lower = text.trim().toLowerCase()
    if (tableVocabulary.taken.has(lower)) return lower
    if (text === '') return `column ${index + 1}`
    const { kind } = neo4jColumn(text) ?? {}
    if (kind === 'LABEL' || lower === '~label') return 'labels'
    // Neo4j and Neptune append the type to the name: `year:int`.
    const [, name, type] = /^([^:]+):([a-z]+)(?:\(\w+\))?(?:\[\])?$/i.exec(text) ?? []
    return name && type && TYPES.has(type.toLowerCase()) && this.#hasTypes() ? name : text
  }

  /** Returns whether the header has the form used by Neo4j or Neptune. */
  #hasTypes(): boolean {
    this.#typed ??= this.cells.some((cell) => neo4jColumn(cell) || /^~(?:id|from|to)$/i.test(cell))
    return this.#typed
  }

  /** Records the name and adds a fault if it has been seen before. */
  refuseTwice(name: string, seen: Set<string>, into: GraphBuilder) {
    if (seen.has(name)) {
      const detail = `has two columns named ${JSON.stringify(name.slice(0, 40))}`
      into.refuse(this.at, 'duplicate-column', detail)
    }
    seen.add(name)
  }
}

/**
 * Returns the first row, with an empty cell prepended if the first column contains row names or numbers. R omits the name of that
 * column.
 */
export function withRowNames(first: Row, all: readonly Row[], isRow: boolean): Row {
  const below = all.slice(1)
  const width = first.cells.length + 1
  if (!isRow || below.length === 0 || first.cells.some((cell) => isNumber(cell))) return first
  const names = new Set(first.cells)
  const isMatrix = below.length === width - 1 && below.every(({ cells }) => names.has(cells[0] as string))
  const hasRowNames =
    ((isNumbered(first, all) && !hasEmptyEnds(all)) || isMatrix) && below.every(({ cells }) => cells.length === width)
  return hasRowNames ? { cells: ['', ...first.cells], at: first.at } : first
}

/** Returns whether each row below has one more cell than the first row and begins with its row number. */
export function isNumbered(first: Row, all: readonly Row[]) {
  const width = first.cells.length + 1
  return all.every(({ cells }, index) => index === 0 || (cells.length === width && cells[0] === String(index)))
}

/** Returns whether all rows except the first end with an empty cell. */
export function hasEmptyEnds(all: readonly Row[]) {
  return all.length > 1 && all.every(({ cells }, index) => index === 0 || cells.at(-1) === '')
}

/** The types in the headers of Neo4j and Neptune files. */
const TYPES = new Set([
  'int',
  'integer',
  'long',
  'short',
  'byte',
  'float',
  'double',
  'boolean',
  'bool',
  'char',
  'string',
  'date',
  'datetime',
  'localdatetime',
  'time',
  'localtime',
  'duration',
  'point'
])

/** Returns a column name for reports and headers, truncated to 255 UTF-16 units without splitting a character. */
export function cutName(name = ''): string {
  return name.slice(0, 255).replace(/[\ud800-\udbff]$/, '')
}
