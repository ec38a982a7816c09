/** Compares names as people order them: `node 9` before `node 10`. */
export const collator = new Intl.Collator(undefined, { numeric: true })
