import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { type Json, jsonKind, nameIn } from '../shared/json-kind.ts'

/**
 * A dbt manifest: models, sources and other resources, with edges from each resource to those that depend on it.
 * https://docs.getdbt.com/reference/artifacts/manifest-json
 */
export const dbt = jsonKind({
  name: 'dbt',
  title: 'dbt manifest',
  endings: ['manifest.json', '.json'],
  members: ['nodes', 'sources', 'parent_map'],
  read
})

/** The members whose resources become nodes, by id. */
const RESOURCES = ['sources', 'nodes', 'exposures', 'metrics', 'semantic_models', 'saved_queries', 'unit_tests']

/** The members that are not part of the lineage. */
const OTHERS = ['macros', 'docs', 'disabled', 'groups', 'selectors']

function read(file: Json, into: GraphBuilder) {
  into.placeOf = () => '#/nodes'
  const elements = new Elements(into)
  if (isRecord(file.metadata)) {
    into.name = nameIn(file.metadata.project_name)
    into.version = nameIn(file.metadata.dbt_version)
    into.describe(Object.entries(file.metadata))
  }
  for (const kind of RESOURCES) {
    const resources = file[kind] ?? {}
    if (!isRecord(resources)) into.refuse(`#/${kind}`, 'wrong-type', 'must be an object')
    else for (const id in resources) addResource(id, resources[id], kind, elements, into)
  }
  const { parent_map: parents } = file
  if (!isRecord(parents)) return into.refuse('#/parent_map', 'wrong-type', 'must be an object')
  for (const id in parents) {
    const list = parents[id]
    if (!Array.isArray(list) || !list.every((parent) => typeof parent === 'string')) {
      into.refuse('#/parent_map', 'wrong-type', 'must contain only lists of ids')
    } else for (const parent of list) elements.addOnly(parent, id, 0)
  }
  elements.finish()
  const isFilled = (part: unknown) => isRecord(part) && Object.keys(part).length > 0
  into.losses.add('aspects-dropped', OTHERS.filter((name) => isFilled(file[name])).length)
}

function addResource(id: string, resource: unknown, kind: string, elements: Elements, into: GraphBuilder) {
  if (!isRecord(resource)) return into.fault(`#/${kind}`, 'wrong-type', 'must contain only objects')
  const { unique_id: _, depends_on: __, ...rest } = resource
  elements.addNode(id, 0, Object.entries(rest))
}
