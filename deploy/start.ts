import { getAsset, getRawAsset } from 'node:sea'
import { programOf, runProgram } from './program.ts'

// Where the executable starts. The code of the program comes with what V8 has made of it: to compile a thousand modules anew
// would take longer than all else that a start does. (What SEA's own useCodeCache keeps is the outermost function only.)

const script = programOf(getAsset('main.js', 'utf8'), Buffer.from(getRawAsset('main.cache')))
// Whoever builds it wants to know; otherwise it is slower, and nothing else.
if (script.cachedDataRejected && process.env.GRAPHSTEAD_BUILD) throw new Error('V8 does not take its own code')
runProgram(script, require)
