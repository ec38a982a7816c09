import { type Expression, PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Term, WordQuery } from '../../graph/words.ts'
import type { Db } from '../store.ts'

/** The tables of words. The id of a row of `graphWordPart` is 1024 × the id of the graph, plus the number of the part. */
export type WordTableName = 'graphWords' | 'graphWordPart'

/** The parts of queries that each engine has in words of its own. */
interface WordDialect {
  /** Returns the value of a column for words that spaces separate. */
  stored(words: string): Expression<string>
  /** Returns the text of the query for `matches`. Neither words nor the marks of db/word-index.ts have quotes. */
  matchOf(query: WordQuery): string
  /** Returns the condition that the words of the row match. */
  matches(table: WordTableName, match: string): Expression<SqlBool>
  /** Returns the id of the row, for a comparison with many ids after `matches`. */
  rowid(table: WordTableName): Expression<number>
}

function matchText(query: WordQuery, and: string, or: string, write: (term: Term) => string) {
  return query.map((terms) => `(${terms.map(write).join(or)})`).join(and)
}

/** SQLite's extension FTS5, whose tables have a hidden column of their own name. */
const fts5: WordDialect = {
  stored: (words) => sql`${words}`,
  matchOf: (query) =>
    matchText(query, ' AND ', ' OR ', ({ word, isBeginning }) => `"${word}"${isBeginning ? '*' : ''}`),
  matches: (table, match) => sql`${sql.ref(`${table}.${table}`)} MATCH ${match}`,
  // Without the sign, FTS5 would run the query again for each of the ids.
  rowid: (table) => sql<number>`+${sql.ref(`${table}.rowid`)}`
}

/** PostgreSQL's `tsvector`, with the words as they are. */
const tsvector: WordDialect = {
  stored: (words) => sql`array_to_tsvector(string_to_array(${words}, ' '))`,
  matchOf: (query) => matchText(query, ' & ', ' | ', ({ word, isBeginning }) => `'${word}'${isBeginning ? ':*' : ''}`),
  matches: (table, match) => sql`${sql.ref(`${table}.words`)} @@ ${match}::tsquery`,
  rowid: (table) => sql<number>`${sql.ref(`${table}.rowid`)}`
}

/** Returns the dialect of the engine behind the handle. */
export function wordDialectOf(db: Db): WordDialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? tsvector : fts5
}
