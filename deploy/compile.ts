import { readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { programOf } from './program.ts'

// node --random-seed=1 deploy/compile.ts SOURCE CACHE compiles all functions of the bundled program, and keeps V8's compiled code.
// The seed fixes the order of V8's tables, and nothing runs: the same source gives the same bytes.

const [source = '', cache = ''] = process.argv.slice(2)
setFlagsFromString('--no-lazy')
const script = programOf(readFileSync(source, 'utf8'))
// V8 accepts only code compiled under the flags it starts with.
setFlagsFromString('--lazy')
writeFileSync(cache, script.createCachedData())
