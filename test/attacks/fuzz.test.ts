import t from 'tap'
import { caseOf, render, targets } from '../fuzz/cases.ts'
import { fuzz } from '../fuzz/fuzz.ts'

t.test('no reader takes more than linear time or memory', async (t) => {
  // The same cases each time; `npm run fuzz` looks further.
  const { count, findings } = await fuzz({ seed: 1, seconds: 15, cases: 150 })
  t.same(findings, [])
  t.ok(count >= 3, `${count} cases`)
})

t.test('a fuzz case is reproducible at any length', async (t) => {
  for (let seed = 0; seed < 200; seed++) t.same(caseOf(seed), caseOf(seed))
  t.same(new Set(Array.from({ length: 2000 }, (_, seed) => caseOf(seed).target)), new Set(targets))
  const one = { target: 'csv', start: 'a,b\n', parts: ['#,x\n', 'y,z\n'], end: '!', closing: '' }
  t.equal(render(one, 16), 'a,b\n0,x\n1,x\ny,z\ny,z\n!')
})

t.test('the fuzzer finds a reader with quadratic time, and one with excessive memory', async (t) => {
  for (const [target, what] of [
    ['square', /^grows by /],
    ['hoard', /^ERR_WORKER_OUT_OF_MEMORY$/]
  ] as const) {
    const { findings } = await fuzz({ seed: 1, seconds: 60, cases: 1, target })
    t.equal(findings.length, 1)
    t.match(findings[0]?.what, what)
  }
})
