import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Test } from 'tap'

// Loaded by suite.ts before the program. Hashing a password takes 19 MiB and 30 ms of CPU time. This module makes it almost
// free for unknown users, whose salt is zero and whose result is not read.

type Argon2 = typeof crypto.argon2

const real = crypto.argon2
const cheap: Argon2 = (algorithm, parameters, callback) => {
  const isReal = Buffer.from(parameters.nonce as Uint8Array).some((byte) => byte !== 0)
  real(algorithm, isReal ? parameters : { ...parameters, memory: 8, passes: 1 }, callback)
}

let current = cheap
Object.assign(crypto, { argon2: (...args: Parameters<Argon2>) => current(...args) })
syncBuiltinESMExports()

function replace(t: Test, argon2: Argon2) {
  current = argon2
  t.teardown(() => {
    current = cheap
  })
}

/** Makes all hashes real until the test ends. Returns the parameters of each hash, in order. */
export function useRealHashes(t: Test): Argon2Parameters[] {
  const made: Argon2Parameters[] = []
  replace(t, (algorithm, parameters, callback) => {
    made.push(parameters)
    real(algorithm, parameters, callback)
  })
  return made
}

/** Holds each hash until it is released. Returns functions that release the first hash, and all current and later ones. */
export function holdHashes(t: Test) {
  const held: (() => void)[] = []
  replace(t, (...args) => void held.push(() => cheap(...args)))
  return {
    releaseOne: () => held.shift()?.(),
    releaseAll() {
      current = cheap
      for (const release of held.splice(0)) release()
    }
  }
}
