/** In formats whose ids are integers: says, as an attribute of the graph, that the ids it had stand elsewhere. */
export const ORIGINAL_IDS = 'graphsteadIds'

/** Whether all ids are integers as such formats write them, up to 2^31-1. */
export function areIntegers(ids: (string | undefined)[]) {
  return ids.every((id) => id !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(id) && Number(id) <= 0x7fffffff)
}
