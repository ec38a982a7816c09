/** Compares names in natural order: `node 9` before `node 10`. */
export const collator = new Intl.Collator(undefined, { numeric: true })
