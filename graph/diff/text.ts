import type { Change, GraphDiff } from '../../schemas/diff.ts'
import type { Edge, Node } from '../../schemas/graph-content.ts'
import type { GraphVersion } from '../../schemas/version.ts'
import { visibleJson } from '../content/visible-json.ts'

/** The maximum length of a value, in characters. Longer values are truncated. */
const LONGEST = 200

/** Returns the difference as readable lines: `-` removed, `+` added, `~` changed. */
export function* diffText({ id, from, to, fields, nodes, edges, truncated }: GraphDiff): Generator<string> {
  yield `graph ${id}\n`
  yield `--- ${from ? titleOf(from) : 'nothing'}\n+++ ${titleOf(to)}\n`
  if (fields.length > 0) yield '\n'
  for (const change of fields) yield `~ ${lineOf(change)}\n`

  yield `\nnodes: ${countsOf(nodes)}\n`
  for (const node of nodes.removed.items) yield `- ${shortNode(node)}\n`
  yield omittedLine('-', nodes.removed)
  for (const node of nodes.added.items) yield `+ ${shortNode(node)}\n`
  yield omittedLine('+', nodes.added)
  for (const { id, changes } of nodes.changed.items) yield `~ ${quoted(id)}\n${linesOf(changes)}`
  yield omittedLine('~', nodes.changed)

  yield `\nedges: ${countsOf(edges)}\n`
  for (const edge of edges.removed.items) yield `- ${shortEdge(edge)}\n`
  yield omittedLine('-', edges.removed)
  for (const edge of edges.added.items) yield `+ ${shortEdge(edge)}\n`
  yield omittedLine('+', edges.added)
  for (const { changes, ...edge } of edges.changed.items) yield `~ ${endsOf(edge)}\n${linesOf(changes)}`
  yield omittedLine('~', edges.changed)
  if (truncated) yield '\nSome changes are not listed. The counts include all changes.\n'
}

function titleOf({ version, timestamp, principal, message }: GraphVersion) {
  return `version ${version}, ${timestamp}, ${principal}${message === undefined ? '' : `: ${quoted(message)}`}`
}

function countsOf({ added, removed, changed, reordered }: GraphDiff['nodes'] | GraphDiff['edges']) {
  const counts = `${added.count} added, ${removed.count} removed, ${changed.count} changed`
  return reordered ? `${counts}; reordered` : counts
}

function omittedLine(sign: string, { count, items }: { count: number; items: unknown[] }) {
  return count > items.length ? `${sign} … and ${count - items.length} more\n` : ''
}

function shortNode({ id, ...attributes }: Node) {
  return `${quoted(id)}${attributesOf(attributes)}`
}

function shortEdge({ id, source, target, relation, ...attributes }: Edge) {
  return `${endsOf({ id, source, target, relation })}${attributesOf(attributes)}`
}

function endsOf({ id, source, target, relation }: Pick<Edge, 'id' | 'source' | 'target' | 'relation'>) {
  const named = `${quoted(source)} -> ${quoted(target)}`
  return `${named}${relation === undefined ? '' : ` ${quoted(relation)}`}${id === undefined ? '' : ` (id ${quoted(id)})`}`
}

function attributesOf({ metadata = {}, ...attributes }: { metadata?: Record<string, unknown> }) {
  return [
    ...Object.entries(attributes).map(([name, value]) => ` ${name}=${quoted(value)}`),
    ...Object.entries(metadata).map(([name, value]) => ` metadata.${nameOf(name)}=${quoted(value)}`)
  ].join('')
}

function linesOf(changes: Change[]) {
  return changes.map((change) => `    ${lineOf(change)}\n`).join('')
}

function lineOf({ pointer, from, to }: Change) {
  const path = decodeURIComponent(pointer.slice(2)).split('/')
  const name = path.map((step) => nameOf(step.replaceAll('~1', '/').replaceAll('~0', '~'))).join('.')
  return `${name}: ${from === undefined ? '(none)' : quoted(from)} -> ${to === undefined ? '(none)' : quoted(to)}`
}

function nameOf(name: string) {
  return /^\w+$/.test(name) ? name : quoted(name)
}

/** Returns the value as JSON, truncated, with all invisible characters escaped. */
function quoted(value: unknown) {
  const json = visibleJson(value)
  return json.length > LONGEST ? `${json.slice(0, LONGEST).toWellFormed()}… (${json.length} characters)` : json
}
