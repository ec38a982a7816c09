import { type Fault, MAX_FAULTS } from '../../../schemas/problem.ts'
import type { FoundFault } from '../../content/content.ts'
import { locate } from '../../content/json-text.ts'
import type { Cause, Place } from './causes.ts'
import type { FileTexts } from './file-texts.ts'

/** Returns the display name of a node or edge and its position in the file. */
type ElementAt = (kind: 'nodes' | 'edges', index: number) => { place: Place; name: string }

/** A pointer to an element or one of its members. */
const ELEMENT = /^#\/(nodes|edges)\/(\d+)\/?(.*)$/

/** Returns whether a content fault is in a node or edge. */
export function isOfElement({ pointer = '#' }: FoundFault): boolean {
  return ELEMENT.test(pointer)
}

/** Converts the pointer of a content fault, such as `#/nodes/3/id`, to a position in the file. */
export function causeOf(
  { pointer = '#', code, detail, count = 1, others = [] }: FoundFault,
  elementAt: ElementAt
): Cause {
  const [, kind, index, member = ''] = ELEMENT.exec(pointer) ?? []
  if (kind !== 'nodes' && kind !== 'edges') {
    const subject = pointer.slice(2)
    return { places: [undefined], count, fault: { code, detail: subject ? `${subject} ${detail}` : detail } }
  }
  const places = [pointer, ...others].map((at) => {
    const { place } = elementAt(kind, Number(ELEMENT.exec(at)?.[2]))
    // In a JSON file, the member may exist under this name. In other files, the element's position is used.
    return typeof place === 'string' && member ? `${place}/${member}` : place
  })
  const { name: element } = elementAt(kind, Number(index))
  const told = member ? `${decodeURIComponent(member)} ${detail}` : detail
  return { places, count, fault: { element, code, detail: told } }
}

/** Returns the first faults with their lines and columns. */
export function locateFaults(causes: readonly Cause[], texts: FileTexts): Fault[] {
  const all = causes.slice(0, MAX_FAULTS)
  const places = all.flatMap(({ places }) => places)
  const pointers = [...new Set(places.filter((place) => typeof place === 'string'))]
  const located = pointers.length > 0 ? locate(texts.text, pointers) : []
  const inJson = new Map(pointers.map((pointer, index) => [pointer, located[index]]))
  const positionOf = (place: Place) =>
    typeof place === 'string' ? inJson.get(place) : typeof place === 'number' ? texts.position(place) : place
  return all.map(({ places, count, fault }) => {
    const positions = places.map(positionOf)
    const found = [...new Set(positions.flatMap((position) => (position ? [position.line] : [])))]
    return {
      ...positions[0],
      ...fault,
      ...(count > 1 && { count }),
      ...(count > 1 && found.length > 0 && { lines: found })
    }
  })
}
