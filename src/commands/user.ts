import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Type } from '@sinclair/typebox'
import { system } from '../../db/actors.ts'
import type { Store } from '../../db/store.ts'
import { inviteUser } from '../../db/users/invitations.ts'
import { findWeakness, hashPassword } from '../../db/users/passwords.ts'
import { removeSecondFactor } from '../../db/users/second-factor.ts'
import { endSessions } from '../../db/users/sessions.ts'
import { createUser, endsAdministration, findUser, listUsers, lockUser, updateUser } from '../../db/users/users.ts'
import { storeSettings } from '../../schemas/settings.ts'
import { oneOf } from '../../schemas/types.ts'
import { isLogin, reservedLogins, roles } from '../../schemas/user.ts'
import type { Command } from '../command.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { databaseIn, existingDatabase, prepareDataFolder } from '../settings/data-folder.ts'
import { secretText } from '../settings/secret-text.ts'
import { usage } from '../settings/usage.ts'
import { print, printError, prompt } from '../system/terminal.ts'
import { withStore } from '../with-store.ts'

const settings = {
  role: Type.Optional(oneOf(roles, { description: 'role of the user' })),
  passwordStdin: Type.Boolean({ default: false, description: 'read the password from standard input' }),
  service: Type.Boolean({
    default: false,
    description: 'create a user for programs; it has no password, and an administrator creates its tokens'
  }),
  invite: Type.Boolean({
    default: false,
    description: 'create the user without a password, and print a link for choosing one within seven days'
  }),
  keepPassword: Type.Boolean({
    default: false,
    description: 'let the user keep this password; by default, the next sign-in in a browser asks for a new one'
  }),
  enable: Type.Boolean({ default: false, description: 'let the user sign in again' }),
  disable: Type.Boolean({ default: false, description: 'sign the user out, and refuse further sign-ins' }),
  ...storeSettings
}
type Settings = ReturnType<typeof readSettings<typeof settings>>['values']

export const help = usage(
  'user <action> [LOGIN] [options]',
  `Manages users. A running server applies each change on the next request.

Actions:
  add LOGIN --role R [--service | --invite]
                                  creates a user; asks for a password, except for a service or an invited user
  list                            lists all users
  set LOGIN [--role R] [--enable | --disable]
                                  changes the role, or enables or disables the user
  password LOGIN                  sets a new password and ends all of the user's sessions
  logout LOGIN                    ends all of the user's sessions
  one-factor LOGIN                turns off two-factor authentication for a user who has lost their device`,
  settings
)

/** Adds, lists and updates users. */
const user: Command = async (args) => {
  // Take only the location of the data from the environment, because the other options apply to one user.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GRAPHSTEAD_DATA')))
  const {
    values,
    positionals: [action, login, ...rest]
  } = readSettings(settings, args, env)
  const run = actions[action ?? '']
  if (!run)
    throw new BadSetting(
      action ? `unknown action ${action}` : 'specify an action: add, list, set, password, logout or one-factor'
    )
  if (rest.length > 0 || (action === 'list' && login)) throw new BadSetting(`too many arguments: ${rest[0] ?? login}`)
  if (action !== 'list' && login === undefined) throw new BadSetting('LOGIN is missing')

  const fileIn = action === 'add' ? prepareDatabase : existingDatabase
  return withStore(values, (store) => run(store, login ?? '', values), fileIn)
}

export default user

/** Returns the path of the database in the folder. If the database does not exist yet, prints that it will be created. */
function prepareDatabase(folder: string) {
  if (!existsSync(databaseIn(folder))) printError(`There is no database in ${folder} yet. Creating one.`)
  return prepareDataFolder(folder)
}

const actions: Record<string, (store: Store, login: string, settings: Settings) => Promise<number>> = {
  async add(store, login, { role, passwordStdin, keepPassword, service, invite }) {
    if (!isLogin(login)) {
      throw new BadSetting(`LOGIN ${login} must be 1 to 64 lower-case letters, digits or ._@-`)
    }
    if (reservedLogins.includes(login)) throw new BadSetting(`LOGIN ${login} is reserved`)
    if (role === undefined) throw new BadSetting(`--role is required; choose one of: ${roles.join(', ')}`)
    if (service && invite) throw new BadSetting('--service and --invite cannot be combined')
    const hasPassword = !service && !invite
    if (!hasPassword && (passwordStdin || keepPassword)) {
      const option = service ? '--service' : '--invite'
      throw new BadSetting(`${option} cannot be combined with --password-stdin or --keep-password`)
    }
    const passwordHash = hasPassword ? await hashPassword(await askPassword(login, passwordStdin)) : ''
    const kind = service ? 'SERVICE' : 'PERSON'
    const values = {
      login,
      kind,
      passwordHash,
      role,
      enabled: true,
      mustChangePassword: hasPassword && !keepPassword
    } as const
    const created = await store.write(async (trx) => {
      const user = await createUser(trx, system, values)
      return user && { invitation: invite ? await inviteUser(trx, system, user) : undefined }
    })
    if (!created) return fail(`a user named ${login} already exists`)
    const { invitation } = created
    if (invitation) {
      return succeed(
        `Send ${login} the address of the server followed by this path. It works once, until ${invitation.expiresAt}.\n/invite#${invitation.secret}`
      )
    }
    return succeed(service ? `${login} can use tokens.` : `${login} can sign in.`)
  },

  async list(store) {
    const slice = {
      sorts: [{ field: 'login', direction: 'asc' as const }],
      limit: Number.MAX_SAFE_INTEGER,
      offset: 0,
      after: undefined
    }
    for (const { login, role, enabled, createdAt } of await listUsers(store, slice)) {
      print(
        `${login.padEnd(24)} ${role.padEnd(8)} ${enabled ? 'enabled ' : 'disabled'} since ${createdAt.slice(0, 10)}`
      )
    }
    return 0
  },

  async set(store, login, { role, enable, disable }) {
    if (enable && disable) throw new BadSetting('--enable and --disable cannot be combined')
    const enabled = enable ? true : disable ? false : undefined
    if (role === undefined && enabled === undefined)
      throw new BadSetting('nothing to change: use --role, --enable or --disable')
    const refusal = await store.write(async (trx) => {
      const before = await findUser(trx, login)
      if (!before) return `user ${login} not found`
      if (await endsAdministration(trx, before, { role, enabled })) {
        return `${login} is the last enabled administrator; at least one must remain`
      }
      await updateUser(trx, system, before, { role, enabled })
      return undefined
    })
    return refusal === undefined ? succeed(`${login} was changed.`) : fail(refusal)
  },

  async password(store, login, { passwordStdin, keepPassword }) {
    const existing = await findUser(store.read, login)
    if (!existing) return fail(`user ${login} not found`)
    if (existing.kind === 'SERVICE') return fail(`${login} is a user for programs and has no password`)
    const passwordHash = await hashPassword(await askPassword(login, passwordStdin))
    const changes = { passwordHash, mustChangePassword: !keepPassword }
    const isSet = await store.write(async (trx) => {
      const before = await findUser(trx, login)
      if (before) await updateUser(trx, system, before, changes)
      return before !== undefined
    })
    return isSet ? succeed(`${login} has a new password.`) : fail(`the user ${login} was deleted in the meantime`)
  },

  async logout(store, login) {
    const isKnown = await store.write(async (trx) => {
      const existing = await findUser(trx, login)
      if (existing) await endSessions(trx, system, existing)
      return existing !== undefined
    })
    return isKnown ? succeed(`All sessions of ${login} have ended.`) : fail(`user ${login} not found`)
  },

  async 'one-factor'(store, login) {
    const had = await store.write(async (trx) => {
      await lockUser(trx, login)
      const existing = await findUser(trx, login)
      if (existing) await removeSecondFactor(trx, system, existing)
      return existing && existing.secondFactorSince !== null
    })
    if (had === undefined) return fail(`user ${login} not found`)
    return succeed(
      had ? `Two-factor authentication is now off for ${login}.` : `${login} does not use two-factor authentication.`
    )
  }
}

/**
 * Reads a password from standard input, or prompts for it twice without echoing it. Throws BadSetting if the password is too
 * weak.
 */
async function askPassword(login: string, fromStdin: boolean) {
  if (!fromStdin && !process.stdin.isTTY)
    throw new BadSetting('no terminal is available to prompt for the password: use --password-stdin')
  const password = fromStdin ? secretText(await buffer(process.stdin)) : await readHidden('Password: ')
  const weak = await findWeakness(password, login)
  if (weak) throw new BadSetting(`the password ${weak}`)
  if (!fromStdin && (await readHidden('Repeat the password: ')) !== password)
    throw new BadSetting('the passwords do not match')
  return password
}

async function readHidden(question: string) {
  prompt(question)
  const silence = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true })
  // Ctrl-C and Ctrl-D close the prompt without an answer.
  const closed = new Promise<never>((_resolve, reject) => {
    terminal.once('close', () => reject(new BadSetting('no password was given')))
  })
  try {
    return await Promise.race([terminal.question(''), closed])
  } finally {
    terminal.close()
    prompt('\n')
  }
}

function succeed(message: string) {
  print(message)
  return 0
}

function fail(message: string) {
  printError(`graphstead user: ${message}`)
  return 1
}
