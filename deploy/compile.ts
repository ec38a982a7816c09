import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { programOf, runProgram } from './program.ts'

// node deploy/compile.ts SOURCE CACHE builds the service of the bundled program, and saves V8's compiled code for all functions
// that run. The server is not started, because its timing would determine which functions are compiled. Under the flags in
// deploy/build-exe.ts, the same source always produces the same bytes.

const [source = '', cache = ''] = process.argv.slice(2)
// By default, V8 discards functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode')
const script = programOf(readFileSync(source, 'utf8'))
process.argv = [process.execPath, source, 'openapi']
process.stdout.write = () => true
process.on('exit', () => {
  // V8 accepts compiled code only under the same flags; graph/jobs/scheduler.ts sets the second one.
  for (const flag of ['--flush-bytecode', '--no-expose-gc']) setFlagsFromString(flag)
  writeFileSync(cache, script.createCachedData())
})
runProgram(script, createRequire(import.meta.url))
