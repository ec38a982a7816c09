import { type Expression, PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Term, WordQuery } from '../../graph/content/words.ts'
import type { Db } from '../store.ts'
import { termsOf, type WordTableName } from './word-tables.ts'

export type { WordTableName }

/** The parts of queries that each engine has in words of its own. */
interface WordDialect {
  /** Returns the value of a column for words that spaces separate. */
  stored(words: string): Expression<string>
  /**
   * Returns the text of the query for `matches`, with all beginnings that it has or that others have beside it. Neither words nor the marks
   * of db/search/word-index.ts have quotes.
   */
  matchOf(query: WordQuery, beginnings: readonly string[]): string
  /** Returns the condition that the words of the row match. Where the text has not all beginnings, the others are undefined. */
  matches(table: WordTableName, match: string, beginnings: readonly (string | undefined)[]): Expression<SqlBool>
  /** Returns the id of the row, for a comparison with many ids after `matches`. */
  rowid(table: WordTableName): Expression<number>
}

function matchText(query: WordQuery, and: string, or: string, write: (term: Term) => string) {
  return query.map((terms) => `(${terms.map(write).join(or)})`).join(and)
}

/** Returns the beginnings of words in a query, each once. */
export function beginningsOf(query: WordQuery): string[] {
  return [...new Set(query.flat().flatMap(({ word, isBeginning }) => (isBeginning ? word : [])))]
}

/** The place of a beginning in a text for FTS5: a character for private use, which is in no word. */
function markOf(index: number) {
  return String.fromCharCode(0xe100 + index)
}

/** The most words that a beginning is replaced by. */
const MOST_WORDS = 32

/**
 * Returns the words that begin so, as a part of a query of FTS5. FTS5 reads each word's list of rows from its end, as far as it must; for a
 * beginning it would read and merge all lists first. That is left to it where many words begin so.
 */
function wordsWith(table: WordTableName, beginning: string): Expression<string> {
  const terms = sql.table(`temp.${termsOf(table)}`)
  const isSo = sql`substr("term", 1, length(${beginning})) = ${beginning}`
  // Of each word the table has a row for each row of the index. The next word is sought, not walked to.
  return sql<string>`(WITH RECURSIVE "found" ("term", "number") AS (
    SELECT (SELECT "term" FROM ${terms} WHERE "term" >= ${beginning} ORDER BY "term" LIMIT 1), 1
    UNION ALL
    SELECT (SELECT "term" FROM ${terms} WHERE "term" >= "found"."term" || char(1) ORDER BY "term" LIMIT 1), "number" + 1
      FROM "found" WHERE ${isSo} AND "number" <= ${sql.lit(MOST_WORDS)}
  )
  SELECT CASE WHEN count(*) BETWEEN 1 AND ${sql.lit(MOST_WORDS)} THEN group_concat('"' || "term" || '"', ' OR ')
    ELSE '"' || ${beginning} || '"*' END FROM "found" WHERE ${isSo})`
}

/** SQLite's extension FTS5, whose tables have a hidden column of their own name. */
const fts5: WordDialect = {
  stored: (words) => sql`${words}`,
  matchOf: (query, beginnings) =>
    matchText(query, ' AND ', ' OR ', ({ word, isBeginning }) =>
      isBeginning ? markOf(beginnings.indexOf(word)) : `"${word}"`
    ),
  matches: (table, match, beginnings) => {
    const text = beginnings.reduce<Expression<string>>(
      (text, beginning, index) =>
        beginning === undefined ? text : sql`replace(${text}, ${markOf(index)}, ${wordsWith(table, beginning)})`,
      sql`${match}`
    )
    return sql`${sql.ref(`${table}.${table}`)} MATCH ${text}`
  },
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
