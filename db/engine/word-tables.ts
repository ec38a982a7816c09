/** The word tables. The row id in `graphWordPart` is 1024 × the graph's id, plus the part number. */
const wordTables = ['graphWords', 'graphWordPart'] as const
export type WordTableName = (typeof wordTables)[number]

/**
 * Returns the name of the temporary table that lists the words of a table. It exists on the SQLite connections that run
 * searches.
 */
export function termsOf(table: WordTableName) {
  return `${table}Term`
}

/**
 * The statements that create these tables, which store no data of their own
 * (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
 */
export const termTables = wordTables.map(
  (table) => `CREATE VIRTUAL TABLE temp."${termsOf(table)}" USING fts5vocab('main', '${table}', 'instance')`
)
