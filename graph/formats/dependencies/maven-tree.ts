import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { linesOf, nodesOf } from '../shared/lines.ts'
import { decodeText } from '../shared/text.ts'

/**
 * The text of `mvn dependency:tree`, with or without the surrounding Maven log.
 * https://maven.apache.org/plugins/maven-dependency-plugin/tree-mojo.html
 */
export const mavenTree: Format = {
  name: 'maven-tree',
  title: 'Maven dependency tree',
  mediaType: 'text/x-maven-tree',
  endings: ['.maven-tree'],
  recognises: (text) => BRANCH.test(text.slice(0, HEAD)) || LONE.test(text.slice(0, HEAD).trim()),
  read: (bytes, into) => read(decodeText(bytes, into, { isOld: true }), into)
}

/** The number of characters to examine for detection. The tree may be preceded by a long log. */
const HEAD = 100_000

/** A root artifact: group, name, type, optional classifier, and version. */
const ROOT = /^(?:\[INFO\] )?([\w.-]+(?::[\w.-]+){3,4})[ \t]*$/

/**
 * The root of a module without dependencies, recognised by its type. Other text may also consist of four words separated by
 * colons.
 */
const LONE = /^(?:\[INFO\] )?[\w.-]+:[\w.-]+:(?:jar|war|ear|rar|pom|bundle|aar|maven-plugin)(?::[\w.-]+){1,2}$/

/** A dependency with coordinates that end with the scope, which may be followed by a note such as `omitted for duplicate`. */
const BRANCH = /^(?:\[INFO\] )?((?:[|] {2}| {3})*)[+\\]- \(?([\w.-]+(?::[\w.-]+){3,4}):([a-z]+)([ )].*)?$/m

function read(text: string, into: GraphBuilder) {
  const nodeOf = nodesOf(into)
  /** The artifacts from the root to the last line. */
  let path: string[] = []
  for (const [line, at] of linesOf(text)) {
    const [, root] = ROOT.exec(line) ?? []
    if (root !== undefined) path = [nodeOf(root, at).id]
    const [, indent, id, scope, rest = ''] = BRANCH.exec(line) ?? []
    if (indent === undefined || id === undefined || scope === undefined) continue
    const depth = indent.length / 3 + 1
    const parent = path[depth - 1]
    if (parent === undefined) {
      into.fault(at, 'malformed', 'is indented more than one level below the line above')
      continue
    }
    path.length = depth
    path.push(nodeOf(id, at).id)
    const note = rest.trimEnd().replace(/^[ (-]+|\)$/g, '')
    into.addEdge(parent, id, at, [['relation', scope], ...(note === '' ? [] : [['note', note] as [string, string]])])
  }
  if (into.content.nodes.length === 0) throw new Unreadable(undefined, 'required', 'contains no Maven artifacts')
}
