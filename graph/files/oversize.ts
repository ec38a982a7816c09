import { type GraphContent, METADATA_DEPTH } from '../../schemas/graph-content.ts'
import { depthOf, jsonSizeOf } from '../content/content.ts'

/**
 * Removes metadata values until each element is within its limits: first the values that are nested too deeply, then the
 * largest ones. Returns the number of removed values.
 */
export function dropOversize(content: GraphContent, metadataLimit: number): number {
  let count = 0
  for (const element of [content, ...content.nodes, ...content.edges]) {
    const { metadata } = element
    if (metadata === undefined) continue
    let size = jsonSizeOf(metadata)
    if (size <= metadataLimit && depthOf(metadata) <= METADATA_DEPTH) continue
    const kept = new Set(Object.keys(metadata))
    const remove = (name: string) => {
      kept.delete(name)
      count++
    }
    // Each size is measured on an object with only this member. It therefore includes two braces, whereas a member of a larger
    // object adds one comma.
    const members = Object.entries(metadata).map(([name, value]) => ({
      name,
      value,
      size: jsonSizeOf({ [name]: value })
    }))
    for (const { name, value, size: bytes } of members) {
      if (depthOf(value) < METADATA_DEPTH) continue
      size -= bytes - 1
      remove(name)
    }
    for (const { name, size: bytes } of members.sort((a, b) => b.size - a.size)) {
      if (size <= metadataLimit) break
      if (!kept.has(name)) continue
      size -= bytes - 1
      remove(name)
    }
    if (kept.size === 0) delete element.metadata
    else element.metadata = Object.fromEntries(Object.entries(metadata).filter(([name]) => kept.has(name)))
  }
  return count
}
