import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Author } from '../../db/actors.ts'
import type { Db, Trx } from '../../db/store.ts'
import type { UserRow } from '../../db/tables.ts'
import { acceptRecoveryCode, acceptStep, findSecret } from '../../db/users/second-factor.ts'
import { RECOVERY_CODES } from '../../schemas/second-factor.ts'
import type { Plugin } from '../http/plugin.ts'
import { seal, unseal } from './sealed-secrets.ts'
import { base32, stepOf } from './totp.ts'

/** The result of checking a code: how it was accepted, or why it was refused. Empty if the user has no second factor. */
type Verdict =
  | { secondFactor?: 'totp' | 'recovery-code' }
  | { reason: 'second-factor-required' | 'second-factor-incorrect' }

declare module 'fastify' {
  interface FastifyInstance {
    /** Verifies the second factors of users: codes from an authenticator app (TOTP), and recovery codes. */
    secondFactors: {
      /** Creates a secret. Returns it both in base32 and encrypted for the store. */
      create(user: UserRow): { secret: string; sealed: string }
      /** Returns the time step of the code, or undefined if the code is not accepted. */
      stepOf(db: Db, user: UserRow, code: string): Promise<number | undefined>
      /** Accepts the code once, if the user has a second factor. The transaction must have locked the user. */
      accept(trx: Trx, author: Author, user: UserRow, code: string | undefined): Promise<Verdict>
      createRecoveryCodes(): string[]
    }
  }
}

const SECRET_BYTES = 20
const RECOVERY_BYTES = 10

const secondFactors: Plugin<{ key: Buffer }> = async (app, { key }) => {
  const find = async (db: Db, user: UserRow, code: string) => {
    const factor = await findSecret(db, user)
    const secret = factor && unseal(key, String(user.id), factor.secret)
    // If the key has changed, the secret cannot be decrypted, but recovery codes still work.
    return secret && stepOf(secret, code, Number(factor.lastStep))
  }
  app.decorate('secondFactors', {
    create(user) {
      const secret = randomBytes(SECRET_BYTES)
      return { secret: base32(secret), sealed: seal(key, String(user.id), secret) }
    },
    stepOf: (db, user, text) => find(db, user, plainOf(text)),
    async accept(trx, author, user, text) {
      if (user.secondFactorSince === null) return {}
      if (text === undefined) return { reason: 'second-factor-required' }
      const code = plainOf(text)
      if (!/^\d+$/.test(code)) {
        if (await acceptRecoveryCode(trx, author, user, code)) return { secondFactor: 'recovery-code' }
        return { reason: 'second-factor-incorrect' }
      }
      const step = await find(trx, user, code)
      if (step !== undefined && (await acceptStep(trx, user, step))) return { secondFactor: 'totp' }
      return { reason: 'second-factor-incorrect' }
    },
    createRecoveryCodes: () => Array.from({ length: RECOVERY_CODES }, createRecoveryCode)
  })
}

export default fp(secondFactors, { name: 'second-factors', dependencies: ['store'] })

function createRecoveryCode() {
  const text = base32(randomBytes(RECOVERY_BYTES)).toLowerCase()
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** Normalizes a code for comparison. People may copy spaces, type capitals, or omit the hyphens of a recovery code. */
function plainOf(text: string) {
  const plain = text.replace(/[\s-]/g, '').toLowerCase()
  return /^\d+$/.test(plain) ? plain : (plain.match(/.{1,4}/g) ?? []).join('-')
}
