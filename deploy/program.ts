import { Script } from 'node:vm'

/** How V8 is to see the program, so that what it has compiled once fits every time. */
export const NAME = 'graphstead.js'

type Program = (exports: object, require: NodeJS.Require, module: object) => void

/** What stands around the bundled program: it becomes a function. */
export const AROUND = { banner: { js: '(function (exports, require, module) {' }, footer: { js: '})' } }

/** The bundled program as a script, with what V8 has compiled of it before. */
export function programOf(source: string, cachedData?: Buffer): Script {
  return new Script(source, { filename: NAME, cachedData })
}

/** Runs the program. */
export function runProgram(script: Script, require: NodeJS.Require) {
  const module = { exports: {} }
  ;(script.runInThisContext() as Program)(module.exports, require, module)
}
