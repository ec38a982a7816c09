// Attackers first guess common passwords and variants of them: surrounded by digits and symbols, with symbols in place of
// letters, or repeated. Next, they try the login, the name of the product, and adjacent keys.

/** The minimum number of characters required in addition to a guessable word. */
const BESIDE = 8

/** The minimum number of characters when each run counts as one. */
const APART = 6

/** Rows of adjacent characters, for runs in either direction. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn'
]

/** Symbols that replace letters. */
const LETTERS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't'
}

/**
 * Returns why a password of 12 or more characters is easy to guess, or undefined if it is not. Both arguments must be
 * lowercase.
 */
export async function findTriviality(password: string, login: string): Promise<string | undefined> {
  if (password === login) return 'must not be the login'
  const block = findBlock(password)
  const isMade = (word: string) => isMadeOf(password, word)
  if (login.length >= 4 ? isMade(login) : coresOf(block).includes(login)) return 'must not be based on the login'
  if (isMade('graphstead')) return 'must not be based on the product name'
  const { words, passwords } = await loadLists()
  if (has(passwords, password) || new Set(password).size < 3) return 'is one of the most common passwords'
  if (block.length < 12 && block.length < password.length) return 'repeats the same characters'
  if (countRuns(password) < APART) return 'is a sequence of characters'
  const isCommon = coresOf(block).some((core) => has(words, core) && block.length - core.length <= BESIDE)
  return isCommon ? 'is based on one of the most common passwords' : undefined
}

/**
 * Loads the lists on first use: common passwords of 12 or more characters, and the 10,000 most common passwords with digits and
 * symbols trimmed at both ends. Each list is a string with one entry per line, because a Set would take twenty times as much
 * memory.
 */
async function loadLists() {
  lists ??= import('./common-passwords.json', { with: { type: 'json' } }).then(({ default: { words, passwords } }) => ({
    words: textOf(words),
    passwords: textOf(passwords)
  }))
  return lists
}

let lists: Promise<{ words: string; passwords: string }> | undefined

function textOf(list: string[]) {
  return `\n${list.join(' ').replaceAll(' ', '\n')}\n`
}

function has(list: string, text: string) {
  return list.includes(`\n${text}\n`)
}

/** Returns whether the password contains the word and little else. */
function isMadeOf(password: string, word: string) {
  return [password, replaceSigns(password)].some((text) => {
    const rest = text.split(word)
    return rest.length > 1 && rest.join('').length < BESIDE
  })
}

/**
 * Returns the block that the password repeats. The last repetition may be partial. If nothing repeats, returns the whole
 * password.
 */
function findBlock(password: string) {
  // Find the longest prefix that is also a suffix of the text so far (Knuth-Morris-Pratt).
  const borders = [0]
  let border = 0
  for (let index = 1; index < password.length; index++) {
    while (border > 0 && password[index] !== password[border]) border = borders[border - 1] ?? 0
    if (password[index] === password[border]) border++
    borders.push(border)
  }
  const period = password.length - border
  return period * 2 <= password.length ? password.slice(0, period) : password
}

/**
 * Returns the words that remain after trimming digits and symbols at both ends, both verbatim and with symbols replaced by
 * letters.
 */
function coresOf(block: string) {
  const cores = [block, block.replace(/[@$]/g, (sign) => LETTERS[sign] as string)].map(trimSigns)
  return [...new Set([...cores, ...cores.map(replaceSigns)].map((core) => findBlock(core)))]
}

function trimSigns(text: string) {
  return text.replace(/^[^a-z]+/, '').replace(/^(.*[a-z])[^a-z]*$/, '$1')
}

function replaceSigns(text: string) {
  return text.replace(/[@4310!$57]/g, (sign) => LETTERS[sign] as string)
}

/** Counts the characters, treating a run of three or more as one. */
function countRuns(password: string) {
  let count = 0
  for (let index = 0; index < password.length; count++) {
    const length = Math.max(...[...ROWS, ...REVERSED].map((row) => runLength(password, index, row)))
    index += length < 3 ? 1 : length
  }
  return count
}

const REVERSED = ROWS.map((row) => [...row].reverse().join(''))

/**
 * Returns the length of the run that begins at `start`, in which each character repeats the previous one or follows it in the
 * row.
 */
function runLength(text: string, start: number, row: string) {
  let index = start + 1
  for (; index < text.length; index++) {
    const [before = '', here = ''] = [text[index - 1], text[index]]
    const place = row.indexOf(before)
    if (here !== before && (place < 0 || row[place + 1] !== here)) break
  }
  return index - start
}
