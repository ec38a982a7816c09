import t from 'tap'
import { sortNameOf } from '../../db/graphs/name-order.ts'

t.test('sort keys order names by their bytes', async (t) => {
  const ones = (count: number) => '1'.repeat(count)
  const ordered = [
    ...['\n1', '0', '00', '01', '1', '2', '10', ones(9), `2${ones(8)}`, ones(10), ones(18), ones(19), ones(255)],
    ...['a', 'a 2', 'a 10', 'A 010 b', 'A\nb', 'a b', 'a-1', 'a1b9', 'a1b10', 'A2', 'aa', 'Äb', 'ac'],
    ...['Cafe', 'cafe', 'café'],
    ...['é', 'ﬃ', 'ss', 'ß', 'ssa', 'z', 'ø', 'Ω', '東京', '\ud7ff', '\ufffd', '😀']
  ]
  const byKey = (one: string, other: string) =>
    Buffer.compare(Buffer.from(sortNameOf(one)), Buffer.from(sortNameOf(other)))
  t.same(ordered.toReversed().sort(byKey), ordered)
})

t.test('the longest name has a key that PostgreSQL can index', async (t) => {
  for (const name of ['\ufdfa'.repeat(255), '😀'.repeat(255), '1a'.repeat(127)])
    t.ok(Buffer.byteLength(sortNameOf(name)) < 2100, name.slice(0, 2))
})
