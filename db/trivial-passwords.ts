import { commonPasswords } from './common-passwords.ts'
import { isCommonWord } from './common-words.ts'

// Whoever guesses begins with common passwords and what people make of them: digits and signs around, letters replaced by
// signs, the same twice; then with the login and the product, and with what lies beside one another on a keyboard.

/** So many characters have to remain beside a word that everybody tries. */
const BESIDE = 8

/** So many have to remain where each run counts as one. */
const APART = 6

/** Where fingers run along; backwards too. */
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

/** Signs that stand for letters. */
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

/** Why the password is none, or undefined; of passwords of 12 characters and more. Both are in lower case. */
export function triviality(password: string, login: string): string | undefined {
  if (password === login) return 'must not be the login'
  const block = repeatedBlock(password)
  const isMade = (word: string) => isMadeOf(password, word)
  if (login.length >= 4 ? isMade(login) : coresOf(block).includes(login)) return 'must not be made of the login'
  if (isMade('graphstead')) return 'must not be made of the name of the product'
  if (commonPasswords.has(password) || new Set(password).size < 3) return 'is one of the most common passwords'
  if (block.length < 12 && block.length < password.length) return 'repeats the same over and over'
  if (apart(password) < APART) return 'is a run of characters'
  const isCommon = coresOf(block).some((core) => isCommonWord(core) && block.length - core.length <= BESIDE)
  return isCommon ? 'is made of one of the most common passwords' : undefined
}

/** Whether little remains without the word. */
function isMadeOf(password: string, word: string) {
  return [password, unsigned(password)].some((text) => {
    const rest = text.split(word)
    return rest.length > 1 && rest.join('').length < BESIDE
  })
}

/** What the password is made of if it repeats something, perhaps not to the end: that; else all of it. */
function repeatedBlock(password: string) {
  // By the longest beginning that is also an end of what was read so far (Knuth, Morris and Pratt).
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

/** The word in the middle, without digits and signs before and behind it: as it is, and with letters for signs. */
function coresOf(block: string) {
  const cores = [block, block.replace(/[@$]/g, (sign) => LETTERS[sign] as string)].map(trimmed)
  return [...new Set([...cores, ...cores.map(unsigned)].map((core) => repeatedBlock(core)))]
}

function trimmed(text: string) {
  return text.replace(/^[^a-z]+/, '').replace(/^(.*[a-z])[^a-z]*$/, '$1')
}

function unsigned(text: string) {
  return text.replace(/[@4310!$57]/g, (sign) => LETTERS[sign] as string)
}

/** How many characters there are, where a run of three and more counts as one. */
function apart(password: string) {
  let count = 0
  for (let index = 0; index < password.length; count++) {
    const length = Math.max(...[...ROWS, ...REVERSED].map((row) => runLength(password, index, row)))
    index += length < 3 ? 1 : length
  }
  return count
}

const REVERSED = ROWS.map((row) => [...row].reverse().join(''))

/** How far the text goes along the row from here on, or stays where it is. */
function runLength(text: string, start: number, row: string) {
  let index = start + 1
  for (; index < text.length; index++) {
    const [before = '', here = ''] = [text[index - 1], text[index]]
    const place = row.indexOf(before)
    if (here !== before && (place < 0 || row[place + 1] !== here)) break
  }
  return index - start
}
