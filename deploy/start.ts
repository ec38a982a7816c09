import { getAssetKeys, getRawAsset } from 'node:sea'
import { programOf, runProgram } from './program.ts'

// The entry point of the executable. Loads the program with V8's compiled code, because compiling a thousand modules would take
// longer than the rest of startup. (SEA's own useCodeCache saves only the outermost function.) Executables built on another
// platform have no compiled code.

const compiled = getAssetKeys().includes('main.cache') ? Buffer.from(getRawAsset('main.cache')) : undefined
// The source is ASCII, and decoding it as Latin-1 is faster than as UTF-8.
const script = programOf(Buffer.from(getRawAsset('main.js')).toString('latin1'), compiled)
// If V8 rejects the code, a build fails; at run time, only startup is slower.
if (script.cachedDataRejected && process.env.GRAPHSTEAD_BUILD) throw new Error('V8 rejected the compiled code')
runProgram(script, require)
