/** The tables of words. The id of a row of `graphWordPart` is 1024 × the id of the graph, plus the number of the part. */
const wordTables = ['graphWords', 'graphWordPart'] as const
export type WordTableName = (typeof wordTables)[number]

/** Returns the name of the temporary table that has the words of a table; of SQLite's connections that answer searches. */
export function termsOf(table: WordTableName) {
  return `${table}Term`
}

/** The statements that make these tables. They store nothing (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module). */
export const termTables = wordTables.map(
  (table) => `CREATE VIRTUAL TABLE temp."${termsOf(table)}" USING fts5vocab('main', '${table}', 'instance')`
)
