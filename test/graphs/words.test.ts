import t from 'tap'
import { MOST_WORDS, wordsOfContent } from '../../graph/content/element-words.ts'
import { addWords, LONGEST_WORD, matchCount, wordQueryOf } from '../../graph/content/words.ts'
import { only } from '../support/engine.ts'

const sqlite = only('SQLite', 'words need no store')

function wordsOf(text: string) {
  const words = new Set<string>()
  addWords(words, text)
  return [...words]
}

/** Returns whether a query for these words finds the text. */
function finds(text: string, q: string) {
  const query = wordQueryOf(q)
  return query.length > 0 && matchCount(new Set(wordsOf(text)), query) === query.length
}

t.test('text is split into words', sqlite, async (t) => {
  const cases: [string, string[]][] = [
    ['', []],
    [' -_…\u0301\u200d', []],
    ['TP53_human', ['tp53', 'human']],
    ['camelCase', ['camelcase', 'camel', 'case']],
    ['HTTPServer2Go', ['httpserver2go', 'http', 'server2', 'go']],
    ['TP53BP1 mRNA pH', ['tp53bp1', 'mrna', 'm', 'rna', 'ph', 'p', 'h']],
    ['src/graph/words.ts', ['src', 'graph', 'words', 'ts']],
    ['https://example.org:8080/a?b=c#d', ['https', 'example', 'org', '8080', 'a', 'b', 'c', 'd']],
    ['ada.lovelace@example.org', ['ada', 'lovelace', 'example', 'org']],
    ['-1.5e-7, 0.75, 1,234', ['1', '5e', '7', '0', '75', '234']],
    ["don't; rock'n'roll", ['don', 't', 'rock', 'n', 'roll']],
    ['Ångström naïve façade', ['angstrom', 'naive', 'facade']],
    ['A\u030angstro\u0308m', ['angstrom']],
    ['Straße STRASSE', ['strasse']],
    ['Ὀδυσσεύς ΟΔΟΣ', ['οδυσσευσ', 'οδοσ']],
    ['Ёжик ЁЖИК Й', ['ежик', 'и']],
    ['مُحَمَّد محمد', ['محمد']],
    ['שָׁלוֹם שלום', ['שלום']],
    ['東京都', ['東京', '東', '京', '京都', '都']],
    ['図', ['図']],
    ['がカﾞ', ['がガ', 'が', 'ガ']],
    ['한국어', ['한국', '한', '국', '국어', '어']],
    ['第3回Fuji', ['第', '3', '回', 'fuji']],
    ['กรุง', ['กร', 'ก', 'ร', 'รุ', 'ุ', 'ุง', 'ง']],
    ['ﬁne ＷＩＤＥ ① Ⅳ ½', ['fine', 'wide', '1', 'iv', '2']],
    ['İstanbul ısı', ['istanbul', 'isi']],
    ['हिन्दी', ['हिन्दी']],
    ['🙂 x\u0000y', ['x', 'y']]
  ]
  for (const [text, words] of cases) t.same(wordsOf(text).toSorted(), words.toSorted(), text)
})

t.test('a query matches whole words, and its last word as a prefix', sqlite, async (t) => {
  const long = 'x'.repeat(1000)
  const found: Record<string, string[]> = {
    TP53_human: ['tp53', 'human_TP53', 'TP5'],
    YouTube: ['youtube', 'youtu', 'tube'],
    'you tube': ['YouTube'],
    youtube: ['YouTube'],
    Straße: ['STRASS'],
    Müller: ['muller'],
    Muller: ['MÜLL'],
    Ὀδυσσεύς: ['οδυσσευς'],
    ΟΔΟΣ: ['οδός'],
    Ёжик: ['ежик'],
    محمد: ['مُحَمَّد'],
    שָׁלוֹם: ['שלום'],
    東京都庁: ['京都', '庁'],
    データベース: ['ﾍﾞｰｽ'],
    한국어: ['한국'],
    สถานีรถไฟกรุงเทพ: ['กรุงเทพ'],
    'src/graph/words.ts': ['graph/words'],
    'ada.lovelace@example.org': ['lovelace@example.org'],
    '0.75': ['0.75'],
    [long]: [long, 'x'.repeat(LONGEST_WORD + 1)]
  }
  const missed: Record<string, string[]> = {
    TP53_human: ['TP5 human', 'tp', 'uman'],
    camel: ['camelCase'],
    がく: ['かく'],
    東京都: ['京東'],
    กา: ['กี'],
    'alpha beta': ['alpha gamma'],
    [long]: ['x'.repeat(LONGEST_WORD - 1).concat(' y')],
    anything: ['…']
  }
  for (const [text, queries] of Object.entries(found)) for (const q of queries) t.ok(finds(text, q), `${text}: ${q}`)
  for (const [text, queries] of Object.entries(missed))
    for (const q of queries) t.notOk(finds(text, q), `${text}: ${q}`)
  t.equal(wordQueryOf('a b a b A').length, 2, 'repeated words are merged, except for the last, which may be a prefix')
})

t.test("the first 500,000 distinct words of a graph's content are indexed", sqlite, async (t) => {
  const text = (from: number) => Array.from({ length: 1000 }, (_, index) => `w${from + index}`).join(' ')
  const nodes = Array.from({ length: 1010 }, (_, index) => ({ id: `w${1000 * index}`, label: text(1000 * index) }))
  const words = wordsOfContent({ nodes, edges: [] })
  t.equal(words.size, MOST_WORDS)
  t.same([words.has('w499999'), words.has('w500000')], [true, false])
})

t.test('hostile text takes linear time', sqlite, async (t) => {
  // Quadratic time would exceed the time limit of the test.
  const size = 200_000
  const texts = '\u0316\u0301 \u0e48\u0e38 aB Aa A a ﷺ 東 ı _ \u200d 가 ß \ud83d\ude42'.split(' ')
  for (const text of texts) {
    const words = wordsOf(text.repeat(size / text.length))
    t.ok(words.length < 10, `${JSON.stringify(text)}: ${words.length}`)
    t.ok(words.every((word) => [...word].length <= LONGEST_WORD))
  }
})
