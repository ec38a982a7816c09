import type { GraphBuilder } from '../shared/graph-builder.ts'
import { isNull } from '../shared/text.ts'
import { pajekNumber } from './pajek-words.ts'

/** A partition, vector, permutation or cluster. */
interface Values {
  kind: string
  name: string
  at: number
  /** The number of vertices to which the values apply. For a cluster, the number of vertices in it. */
  count: number | undefined
  numbers: number[]
}

/** The partitions, vectors, permutations and clusters of a project, which become node metadata. */
export class PajekValues {
  static readonly kinds = ['partition', 'vector', 'permutation', 'cluster']
  readonly #into: GraphBuilder
  readonly #all: Values[] = []

  constructor(into: GraphBuilder) {
    this.#into = into
  }

  get hasAny() {
    return this.#all.length > 0
  }

  /** The number of vertices in the last entry; undefined until its `*Vertices` line. */
  get count() {
    return this.#all.at(-1)?.count
  }

  set count(count: number | undefined) {
    const last = this.#all.at(-1)
    if (last) last.count = count
  }

  open(kind: string, title: string, at: number) {
    this.#all.push({ kind, name: title === '' ? kind : title, at, count: undefined, numbers: [] })
  }

  /** Adds a line, which contains one number. */
  add(text: string, at: number) {
    const values = this.#all.at(-1) as Values
    const number = values.kind === 'vector' && isNoNumber(text) ? Number.NaN : pajekNumber(text, this.#into)
    const isFitting = number !== undefined && (values.kind === 'vector' || Number.isSafeInteger(number))
    if (!isFitting) {
      const detail = `${JSON.stringify(text.slice(0, 40))} is not a valid number for a ${values.kind}`
      this.#into.refuse(at, 'malformed', detail)
    } else if (values.count !== undefined && values.numbers.length === values.count) {
      this.#into.refuse(at, 'not-allowed', `exceeds the ${values.count} numbers that the ${values.kind} should have`)
    } else values.numbers.push(number)
  }

  /**
   * Sets the node metadata, in the order of the vertices. Drops a set of values if it is for a different number of vertices.
   */
  apply() {
    const { nodes } = this.#into.content
    const taken = new Set(nodes.flatMap(({ metadata }) => Object.keys(metadata ?? {})))
    const repeated = new Map<string, number>()
    for (const { kind, name, at, count, numbers } of this.#all) {
      if (count === undefined)
        this.#into.refuse(at, 'required', `a ${kind} has no *Vertices line with the number of vertices`)
      else if (numbers.length < count) {
        this.#into.refuse(at, 'incomplete', `a ${kind} has only ${numbers.length} of its ${count} numbers`)
      }
      const isCluster = kind === 'cluster'
      const fits = isCluster ? numbers.every((number) => nodes[number - 1]) : count === nodes.length
      if (!fits) {
        this.#into.losses.add('partition-dropped')
        continue
      }
      const unique = uniqueName(name, taken, repeated)
      for (const [index, number] of numbers.entries()) {
        const node = nodes[isCluster ? number - 1 : index]
        if (Number.isNaN(number)) this.#into.losses.add('null-dropped')
        else if (node) this.#into.describeNode(node, [[unique, isCluster ? true : number]], PLAIN)
      }
    }
  }
}

/** Returns whether a vector value is missing. Windows programs write `1.#QNAN`. */
function isNoNumber(text: string) {
  return isNull(text) || /^[+-]?(?:nan|inf(?:inity)?|1\.#[a-z0-9]{1,8})$/i.test(text)
}

/** Names of partitions never have a special meaning. */
const PLAIN = { label: null, position: false, nameOf: (name: string) => name }

/** Returns the name, with a number appended if it is taken, and marks it as taken. */
function uniqueName(name: string, taken: Set<string>, repeated: Map<string, number>) {
  let unique = name
  let number = repeated.get(name) ?? 1
  while (taken.has(unique)) unique = `${name} ${++number}`
  repeated.set(name, number)
  taken.add(unique)
  return unique
}
