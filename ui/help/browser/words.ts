// The words of the search: how a text is split, which endings are ignored, and what the documents call the words that people type.

const IGNORED = new Set(
  'a an and are as at be by can could do does for from get how i if in is it make me my of on or our should so some that the their them there this to was we what when where which who why will with you your'.split(
    ' '
  )
)

/** The words of the documents, by the words that people type. */
const SYNONYMS: Record<string, string> = {
  '2fa': 'factor',
  admin: 'administrator',
  bulk: 'several',
  cell: 'value',
  change: 'edit',
  cluster: 'community',
  coauthor: 'people',
  colleague: 'people',
  column: 'attribute',
  csv: 'table',
  dark: 'theme',
  erase: 'delete',
  expiry: 'expires',
  find: 'search',
  forget: 'forgotten reset',
  forgot: 'forgotten reset',
  friend: 'people',
  hotkey: 'keyboard shortcut',
  iframe: 'embed',
  image: 'picture',
  jpg: 'png',
  lose: 'lost',
  many: 'several',
  mfa: 'factor',
  multiple: 'several',
  owner: 'transfer',
  pdf: 'svg print',
  photo: 'picture',
  print: 'figure',
  property: 'attribute',
  publish: 'share link',
  recover: 'restore',
  remove: 'delete',
  screenshot: 'png picture',
  several: 'many',
  shortcut: 'key',
  spreadsheet: 'table excel',
  sso: 'identity provider',
  theme: 'dark',
  totp: 'factor',
  undelete: 'restore',
  vertex: 'node',
  vertices: 'node',
  website: 'page embed',
  xlsx: 'excel'
}

/** Splits a text into words. */
export const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns a word without its ending, so that `delete`, `deleted` and `deleting` are the same word. */
export function stemOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/color/, 'colour')
    .replace(/(?<=..)(?:ies|ied)$/, 'y')
    .replace(/(?<=..[^su])s$/, '')
    .replace(/(?<=...)(?:ation|ion|ing|ed)$/, '')
    .replace(/(?<=..)([^aeiou])\1$/, '$1')
    .replace(/(?<=...)[ey]$/, '')
}

const synonyms = new Map(Object.entries(SYNONYMS).map(([word, others]) => [stemOf(word), wordsOf(others).map(stemOf)]))

/** Returns the stems to search for, each with its synonyms. Words such as “how” and “the” count only if there are no others. */
export function alternativesOf(query: string): string[][] {
  const words = wordsOf(query.toLowerCase().replace(/\blog(?:ging)?[ -]?(?=(?:in|on)\b)/, 'sign '))
  const telling = words.filter((word) => !IGNORED.has(word))
  const stems = (telling.length > 0 ? telling : words).map(stemOf)
  return stems.map((stem) => [stem, ...(synonyms.get(stem) ?? [])])
}
