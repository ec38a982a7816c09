import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { records } from '../shared/json-file.ts'
import { type Json, jsonKind, nameIn } from '../shared/json-kind.ts'
import { packageId } from './ids.ts'

/**
 * A CycloneDX bill of materials: components and services, and their dependencies.
 * https://cyclonedx.org/docs/1.6/json
 */
export const cyclonedx = jsonKind({
  name: 'cyclonedx',
  title: 'CycloneDX JSON',
  endings: ['.cdx.json', '.json'],
  members: ['bomFormat'],
  read
})

/** The relations of dependencies, each a list of references. */
const RELATIONS = ['dependsOn', 'provides']

function read(file: Json, into: GraphBuilder) {
  const { specVersion, metadata, components, services, dependencies, ...others } = file
  const { bomFormat: _, $schema: __, serialNumber, version, ...dropped } = others
  if (typeof specVersion === 'string') into.version = specVersion
  const elements = new Elements(into)
  into.placeOf = (kind, index) => (kind === 'nodes' ? '#/components' : `#/dependencies/${index}`)
  const { component, ...rest } = isRecord(metadata) ? metadata : {}
  into.describe(Object.entries({ ...rest, serialNumber, version }).filter(([, value]) => value !== undefined))
  if (isRecord(component)) {
    into.name = nameIn(component.name)
    addComponent(component, undefined, '#/metadata/component', elements, into)
  }
  addComponents({ components, services }, undefined, '#', elements, into)
  for (const [index, { ref, ...targets }] of records(dependencies, '#/dependencies', into)) {
    for (const relation of RELATIONS) {
      const list = targets[relation] ?? []
      if (typeof ref !== 'string' || !Array.isArray(list) || !list.every((target) => typeof target === 'string')) {
        into.fault(`#/dependencies/${index}`, 'wrong-type', 'must have a ref and lists of refs')
      } else for (const target of list) elements.addOnly(ref, target, index, relation)
    }
  }
  elements.finish()
  into.losses.add('aspects-dropped', Object.keys(dropped).length)
}

function addComponents(
  lists: Json,
  parent: string | undefined,
  pointer: string,
  elements: Elements,
  into: GraphBuilder
) {
  for (const [name, list] of Object.entries(lists)) {
    for (const [index, component] of records(list, `${pointer}/${name}`, into)) {
      addComponent(component, parent, `${pointer}/${name}/${index}`, elements, into)
    }
  }
}

/** Adds a component and those nested in it, which store its id as `parent`. The parser limits the depth. */
function addComponent(
  component: Json,
  parent: string | undefined,
  pointer: string,
  elements: Elements,
  into: GraphBuilder
) {
  const { 'bom-ref': ref, components, services, ...attributes } = component
  const { purl, group, name, version } = attributes
  const full = typeof group === 'string' && group !== '' ? `${group}/${name}` : String(name)
  const id = [ref, purl, nameIn(name) && packageId(full, version)].find((text) => typeof text === 'string')
  if (typeof id !== 'string') return into.fault(pointer, 'required', 'has neither a bom-ref nor a name')
  const described = Object.entries({ ...attributes, parent })
  // A package may be listed several times, but a bom-ref is unique.
  if (typeof ref === 'string') elements.addUnique(id, 0, described, pointer)
  else elements.addNode(id, 0, described)
  addComponents({ components, services }, id, pointer, elements, into)
}
