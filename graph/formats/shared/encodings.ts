// Signs that a file, decoded as Windows-1252, is in another encoding. Western text uses high bytes for individual letters and
// punctuation, while other scripts use several in a row in each word.

/** The characters for bytes that Windows-1252 does not define. */
const UNDEFINED = /[\u0081\u008d\u008f\u0090\u009d]/

/** Punctuation that may be next to a letter. The quotes, a subset of it, never occur between two letters. */
const PUNCTUATION = '‘’“”‚„‹›«»–—…•·¿¡\\u00a0´°'
const QUOTES = '“”„‹›«»'
const HIGH = '\\u0080-\\uffff'
/**
 * Other symbols, which are never followed by a letter, and the characters that may follow one if both are bytes of a single
 * character in another encoding.
 */
const SYMBOLS = '¢-©¬®¯±-³¶¸¹¼-¾×÷†‡ˆ‰˜™'
const SECOND = '@-Z\\[\\\\^_`a-z{~À-ÖØ-öø-ÿŠšŽžŒœŸƒªºµ'

const LETTER = `(?![${PUNCTUATION}])[${HIGH}]`
const ODD = new RegExp(
  [
    `${LETTER}[${HIGH}]{2,}${LETTER}`,
    `(?<![\\w${HIGH}])(?:${LETTER}){3}(?![\\w${HIGH}])`,
    `(?<=\\p{L})[${QUOTES}](?=\\p{L})`,
    `[${SYMBOLS}](?=[${SECOND}])`
  ].join('|'),
  'gu'
)
const RUN = new RegExp(`[${HIGH}]+`, 'g')

/**
 * At least one in this many high characters must indicate another encoding. Measured with names in ten Western languages and 14
 * other encodings.
 */
const SHARE = 4

/** The number of high characters to examine. */
const ENOUGH = 10_000

/** Returns the offset of the first sign that text decoded as Windows-1252 is in another encoding, or -1 if there is none. */
export function foreignCharacter(text: string): number {
  const place = text.search(UNDEFINED)
  if (place >= 0) return place
  let [high, odd, first] = [0, 0, -1]
  let end = 0
  for (const { 0: run, index } of text.matchAll(RUN)) {
    high += run.length
    end = index + run.length
    if (high >= ENOUGH) break
  }
  for (const { 0: part, index } of text.slice(0, end + 1).matchAll(ODD)) {
    if (odd === 0) first = index
    odd += part.length
  }
  return odd * SHARE >= high ? first : -1
}

/** The multi-byte encodings, which reject most text in other encodings. */
const MULTIBYTE = ['shift_jis', 'gb18030', 'euc-kr', 'big5']

/** The number of bytes at the start of a file to decode for suggestions. */
const START = 100_000

/** Returns encodings other than UTF-8 and Windows-1252 that the file may be in, formatted for a sentence. */
export function likelyEncodings(bytes: Buffer): string {
  const fitting = MULTIBYTE.filter((label) => {
    try {
      // Decoders map undefined bytes to private-use characters.
      const start = new TextDecoder(label, { fatal: true }).decode(bytes.subarray(0, START), { stream: true })
      return !/[\ue000-\uf8ff\u0080-\u009f]/.test(start)
    } catch {
      return false
    }
  })
  return [...fitting, 'windows-1251 or windows-1250'].join(', ')
}
