import t from 'tap'
import { cpuTime } from '../support/cpu-time.ts'
import { read } from '../support/formats.ts'

// Comparing the columns of a table, or recognising a list, takes time proportional to its size.

/** Returns the CPU time needed to read the file in its detected format, in milliseconds. */
const cost = (text: string) =>
  cpuTime(() =>
    read(undefined, text).catch((error: { code?: string }) => {
      if (error.code !== 'format-unknown') throw error
    })
  )

function rows(count: number) {
  return Array.from({ length: count }, (_, index) => index).join('\n')
}

const files: [name: string, of: (size: number) => string][] = [
  [
    'many equal columns',
    (size) => `${Array.from({ length: 200 }, (_, index) => `x${index}`)}\n${`${'a,'.repeat(200)}\n`.repeat(size / 400)}`
  ],
  ['one wide row', (size) => `${'a,'.repeat(size / 4)}\n${'b,'.repeat(size / 4)}`],
  ['a large matrix', (size) => `${`${'0,'.repeat(Math.sqrt(size / 2) - 1)}0\n`.repeat(Math.sqrt(size / 2))}`],
  [
    'a matrix of short rows',
    (size) => {
      const names = Array.from({ length: size / 14 }, (_, index) => `q${index}`)
      return `,${names}\n${names.join('\n')}`
    }
  ],
  [
    'short rows of a wide GDF',
    (size) =>
      `nodedef>name${Array.from({ length: size / 20 }, (_, index) => `,a${index}`).join('')}\n${rows(size / 10)}`
  ],
  ['columns that look typed', (size) => `source,target${',a:b'.repeat(size / 80)}\nx,y`],
  ['empty rows', (size) => `from,to\n${',,\n'.repeat(size / 3)}`],
  ['spaces', (size) => `from,to\na,${' '.repeat(size)}b`],
  ['quotes in a list', (size) => `1 2\n${'"1 2\n'.repeat(size / 5)}`],
  ['a list on one line', (size) => '1 '.repeat(size / 2)],
  ['comments in a list', (size) => `${'%  \n'.repeat(size / 4)}1 2`],
  ['one quote in GDF', (size) => `nodedef>name\n"${'\\a'.repeat(size / 2)}`],
  ['targets of SIF', (size) => `a pp${' b'.repeat(size / 2)}\nb pp a`],
  ['apostrophes', (size) => `from,to,x\na,b,${"'".repeat(size)}NA`]
]

for (const [name, of] of files) {
  t.test(`${name}: doubling the size about doubles the time`, async (t) => {
    await cost(of(10_000))
    const [once, twice] = [await cost(of(500_000)), await cost(of(1_000_000))]
    t.ok(twice < 3.5 * Math.max(once, 60), `${once} ms, ${twice} ms`)
  })
}
