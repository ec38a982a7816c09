import { Script } from 'node:vm'

/** The program's file name in V8, which accepts compiled code only if the name matches. */
const NAME = 'graphstead.js'

type Program = (exports: object, require: NodeJS.Require, module: object) => void

/** The function wrapper around the bundled program. */
export const AROUND = { banner: { js: '(function (exports, require, module) {' }, footer: { js: '})' } }

/** Returns the bundled program as a script, with compiled code if given. */
export function programOf(source: string, cachedData?: Buffer): Script {
  return new Script(source, { filename: NAME, cachedData })
}

/** Runs the program. */
export function runProgram(script: Script, require: NodeJS.Require) {
  const module = { exports: {} }
  ;(script.runInThisContext() as Program)(module.exports, require, module)
}
