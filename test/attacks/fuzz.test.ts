import t from 'tap'
import { type Case, caseOf, render, targets, walkOf } from '../fuzz/cases.ts'
import { fuzz, walk } from '../fuzz/fuzz.ts'

t.test('no reader takes more than linear time or memory', async (t) => {
  // Every run uses the same cases; `npm run fuzz` tries others.
  const { count, findings } = await fuzz({ seed: 1, seconds: 15, cases: 150 })
  t.same(findings, [])
  t.ok(count >= 3, `${count} cases`)
})

/** The test runs one in this many small cases; `npm run fuzz -- --walk` runs them all. */
const STRIDE = 50

t.test('no small input takes more than linear time', async (t) => {
  const known: Case[] = [
    { target: 'csv', start: '', parts: ['##'], end: '\n#\n\na,b\n', closing: '' },
    { target: 'tsv', start: '', parts: ['##'], end: '\n#\n\na\tb\n', closing: '' },
    { target: 'edge-list', start: '', parts: ['1 2 {'], end: '', closing: '' },
    { target: 'dot', start: 'digraph {', parts: ['edge [a#=b];'], end: '}', closing: '' },
    { target: 'dot', start: 'digraph {', parts: ['edge [a#];a -> b;'], end: '}', closing: '' },
    { target: 'dot', start: 'digraph {', parts: ['edge [a#=b];', 'a -> b;'], end: '}', closing: '' },
    { target: 'dot', start: 'digraph {', parts: ['node [a#=b];', 'a#;'], end: '}', closing: '' }
  ]
  t.same((await walk(known)).findings, [])
  const sampled = targets.flatMap((target) => [...walkOf(target)]).filter((_, index) => index % STRIDE === 0)
  const { count, findings } = await walk(sampled)
  t.same(findings, [])
  t.ok(count > 200, `${count} cases`)
})

t.test('a fuzz case can be reproduced at any length', async (t) => {
  for (let seed = 0; seed < 200; seed++) t.same(caseOf(seed), caseOf(seed))
  t.same(new Set(Array.from({ length: 2000 }, (_, seed) => caseOf(seed).target)), new Set(targets))
  const one = { target: 'csv', start: 'a,b\n', parts: ['#,x\n', 'y,z\n'], end: '!', closing: '' }
  t.equal(render(one, 16), 'a,b\n0,x\n1,x\ny,z\ny,z\n!')
  t.equal(render({ ...one, start: '', parts: ['##'] }, 8), '####!')
})

t.test('the fuzzer finds a reader that takes cubic time and one that takes too much memory', async (t) => {
  for (const [target, what] of [
    ['cube', /^grows by /],
    ['hoard', /^ERR_WORKER_OUT_OF_MEMORY$/]
  ] as const) {
    const { findings } = await fuzz({ seed: 1, seconds: 60, cases: 1, target })
    t.equal(findings.length, 1)
    t.match(findings[0]?.what, what)
  }
})

t.test('the walk finds a slow reader that a limit hides for large inputs', async (t) => {
  const { findings } = await walk(walkOf('capped'))
  t.match(findings[0]?.what, /^(grows by|takes) /)
})
