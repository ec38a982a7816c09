import { type Expression, PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Term, WordQuery } from '../../graph/content/words.ts'
import type { Db } from '../store.ts'
import { termsOf, type WordTableName } from './word-tables.ts'

export type { WordTableName }

/** The parts of word queries that differ between engines. */
interface WordDialect {
  /** Returns the column value for a space-separated list of words. */
  stored(words: string): Expression<string>
  /**
   * Returns the query text for `matches`. `beginnings` includes all word prefixes in this query, and possibly some from other
   * queries. Neither words nor the marks in db/search/word-index.ts contain quotes.
   */
  matchOf(query: WordQuery, beginnings: readonly string[]): string
  /** Returns an expression that tests whether the row's words match. Prefixes that `match` does not use are undefined. */
  matches(table: WordTableName, match: string, beginnings: readonly (string | undefined)[]): Expression<SqlBool>
  /** Returns the row id as an expression to compare with many ids after `matches`. */
  rowid(table: WordTableName): Expression<number>
}

function matchText(query: WordQuery, and: string, or: string, write: (term: Term) => string) {
  return query.map((terms) => `(${terms.map(write).join(or)})`).join(and)
}

/** Returns the distinct word prefixes in a query. */
export function beginningsOf(query: WordQuery): string[] {
  return [...new Set(query.flat().flatMap(({ word, isBeginning }) => (isBeginning ? word : [])))]
}

/** Returns the placeholder for a word prefix in an FTS5 query: a private-use character that no word contains. */
function markOf(index: number) {
  return String.fromCharCode(0xe100 + index)
}

/** The maximum number of words to which a prefix is expanded. */
const MOST_WORDS = 32

/**
 * Returns an FTS5 expression for the words with this prefix. For whole words, FTS5 reads each posting list from its end, and
 * only as far as needed. For a prefix, it first reads and merges all posting lists. Keeps the prefix if too many words share
 * it.
 */
function wordsWith(table: WordTableName, beginning: string): Expression<string> {
  const terms = sql.table(`temp.${termsOf(table)}`)
  const isSo = sql`substr("term", 1, length(${beginning})) = ${beginning}`
  // The table has a row for each occurrence of a word, so seek to the next word instead of scanning.
  return sql<string>`(WITH RECURSIVE "found" ("term", "number") AS (
    SELECT (SELECT "term" FROM ${terms} WHERE "term" >= ${beginning} ORDER BY "term" LIMIT 1), 1
    UNION ALL
    SELECT (SELECT "term" FROM ${terms} WHERE "term" >= "found"."term" || char(1) ORDER BY "term" LIMIT 1), "number" + 1
      FROM "found" WHERE ${isSo} AND "number" <= ${sql.lit(MOST_WORDS)}
  )
  SELECT CASE WHEN count(*) BETWEEN 1 AND ${sql.lit(MOST_WORDS)} THEN group_concat('"' || "term" || '"', ' OR ')
    ELSE '"' || ${beginning} || '"*' END FROM "found" WHERE ${isSo})`
}

/** SQLite's FTS5 extension. Each of its tables has a hidden column that is named after the table. */
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
  // The plus sign keeps FTS5 from rerunning the query for each id.
  rowid: (table) => sql<number>`+${sql.ref(`${table}.rowid`)}`
}

/** PostgreSQL's `tsvector`, with words stored verbatim. */
const tsvector: WordDialect = {
  stored: (words) => sql`array_to_tsvector(string_to_array(${words}, ' '))`,
  matchOf: (query) => matchText(query, ' & ', ' | ', ({ word, isBeginning }) => `'${word}'${isBeginning ? ':*' : ''}`),
  matches: (table, match) => sql`${sql.ref(`${table}.words`)} @@ ${match}::tsquery`,
  rowid: (table) => sql<number>`${sql.ref(`${table}.rowid`)}`
}

/** Returns the word dialect for the handle's engine. */
export function wordDialectOf(db: Db): WordDialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? tsvector : fts5
}
