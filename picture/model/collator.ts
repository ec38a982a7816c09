/** Compares names in natural order: `node 9` precedes `node 10`. */
export const collator = new Intl.Collator(undefined, { numeric: true })
