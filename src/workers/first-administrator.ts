import { randomBytes } from 'node:crypto'
import { system } from '../../db/actors.ts'
import type { Store } from '../../db/store.ts'
import { findWeakness, hashPassword } from '../../db/users/passwords.ts'
import { countUsers, createUser } from '../../db/users/users.ts'
import { BadSetting } from '../settings/config.ts'
import { printError } from '../system/terminal.ts'

export const ADMIN_PASSWORD = 'GRAPHSTEAD_ADMIN_PASSWORD'
export const FIRST_LOGIN = 'admin'

/**
 * Creates the administrator if there are no users yet. If several processes start at once, only one of them does so. Throws
 * BadSetting.
 */
export async function createFirstAdministrator(store: Store, given: string | undefined) {
  if ((await countUsers(store.read)) > 0) return
  const weak = given === undefined ? undefined : await findWeakness(given, FIRST_LOGIN)
  if (weak) throw new BadSetting(`${ADMIN_PASSWORD} ${weak}`)
  const password = given ?? randomBytes(18).toString('base64url')
  const passwordHash = await hashPassword(password)
  const created = await store.write(async (trx) => {
    if ((await countUsers(trx)) > 0) return undefined
    return createUser(trx, system, { login: FIRST_LOGIN, passwordHash, role: 'ADMIN', enabled: true })
  })
  if (created && given === undefined) {
    // Print the password once, to the terminal rather than the log.
    printError(`\n  The first administrator is ${FIRST_LOGIN}, with the password  ${password}\n`)
  }
}
