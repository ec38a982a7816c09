import { system } from '../../db/actors.ts'
import {
  addMember,
  createGroup,
  deleteGroup,
  listGroups,
  listMembers,
  removeMember,
  requireGroup,
  updateGroup
} from '../../db/sharing/groups.ts'
import type { Store, Trx } from '../../db/store.ts'
import { lockUsers, requireUser } from '../../db/users/users.ts'
import { Description, NAME_PATTERN } from '../../schemas/group.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { storeSettings } from '../../schemas/settings.ts'
import { optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { print, printError } from '../system/terminal.ts'
import { withStore } from '../with-store.ts'

const settings = {
  name: optionalText({ description: 'new name of the group' }),
  description: optionalText({
    maxLength: Description.maxLength as number,
    description: 'description of the group; an empty one removes it'
  }),
  ...storeSettings
}
type Settings = ReturnType<typeof readSettings<typeof settings>>['values']

export const help = usage(
  'group <action> [NAME] [LOGIN] [options]',
  `Manages groups of users. Graphs can be shared with a group. A running server applies each change on the next request.

Actions:
  add NAME [--description D]      creates an empty group
  list                            lists all groups with their member counts
  set NAME [--name N] [--description D]
                                  changes the name or description
  remove NAME                     deletes the group; its members lose access to what was shared with it
  member add NAME LOGIN           adds a user to the group
  member remove NAME LOGIN        removes a user from the group
  member list NAME                lists the members of the group`,
  settings
)

/** Adds, lists, updates and removes groups and their members. */
const group: Command = async (args) => {
  // Take only the location of the data from the environment, because the other options apply to a single group.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GRAPHSTEAD_DATA')))
  const { values, positionals } = readSettings(settings, args, env)
  const { action, operands } = actionOf(positionals)
  try {
    const text = await withStore(values, (store) => action.run(store, operands, values))
    if (text !== '') print(text)
    return 0
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    printError(`graphstead group: ${error.message}`)
    return 1
  }
}

export default group

interface Action {
  /** The names of its operands. */
  operands: string[]
  /** Returns text to print. Throws ProblemError. */
  run(store: Store, operands: string[], settings: Settings): Promise<string>
}

/** Finds the action for these words, along with its operands. Throws BadSetting. */
function actionOf(words: string[]): { action: Action; operands: string[] } {
  const isAboutMembers = words[0] === 'member'
  const known = isAboutMembers ? memberActions : actions
  const [verb, ...operands] = isAboutMembers ? words.slice(1) : words
  const names = [...Object.keys(known), ...(isAboutMembers ? [] : ['member'])].join(', ')
  if (verb === undefined) throw new BadSetting(`specify an action: ${names}`)
  const action = Object.hasOwn(known, verb) ? known[verb] : undefined
  if (!action) throw new BadSetting(`unknown action ${words.slice(0, isAboutMembers ? 2 : 1).join(' ')}: ${names}`)
  const missing = action.operands[operands.length]
  if (missing !== undefined) throw new BadSetting(`${missing} is missing`)
  const [superfluous] = operands.slice(action.operands.length)
  if (superfluous !== undefined) throw new BadSetting(`too many arguments: ${superfluous}`)
  return { action, operands }
}

/** Returns the name if it is a valid group name. Throws BadSetting. */
function validName(name: string) {
  if (new RegExp(NAME_PATTERN).test(name)) return name
  throw new BadSetting(`NAME ${name} must be 1 to 64 lower-case letters, digits or ._@-`)
}

const actions: Record<string, Action> = {
  add: {
    operands: ['NAME'],
    async run(store, [name = ''], { description }) {
      const values = { name: validName(name), description: description || null }
      await store.write((trx) => createGroup(trx, system, values))
      return `Created the group ${name}.`
    }
  },

  list: {
    operands: [],
    async run(store) {
      const sorts = [{ field: 'name', direction: 'asc' as const }]
      const groups = await listGroups(store, { sorts, limit: Number.MAX_SAFE_INTEGER, offset: 0, after: undefined })
      const lines: string[] = []
      for (const { id, name, description = '' } of groups) {
        const { length } = await listMembers(store.read, id)
        lines.push(
          `${name.padEnd(24)} ${String(length).padStart(5)} ${length === 1 ? 'member ' : 'members'}  ${description}`.trimEnd()
        )
      }
      return lines.join('\n')
    }
  },

  set: {
    operands: ['NAME'],
    async run(store, [name = ''], { name: wanted, description }) {
      if (wanted === undefined && description === undefined)
        throw new BadSetting('nothing to change: use --name or --description')
      const values = {
        ...(wanted !== undefined && { name: validName(wanted) }),
        ...(description !== undefined && { description: description || null })
      }
      await store.write(async (trx) => updateGroup(trx, system, await requireGroup(trx, name), values))
      return `${name} was changed.`
    }
  },

  remove: {
    operands: ['NAME'],
    async run(store, [name = '']) {
      await store.write(async (trx) => deleteGroup(trx, system, await requireGroup(trx, name)))
      return `${name} was removed.`
    }
  }
}

const memberActions: Record<string, Action> = {
  add: {
    operands: ['NAME', 'LOGIN'],
    async run(store, [name = '', login = '']) {
      await store.write((trx) => change(trx, name, login, addMember))
      return `${login} is now a member of ${name}.`
    }
  },

  remove: {
    operands: ['NAME', 'LOGIN'],
    async run(store, [name = '', login = '']) {
      await store.write((trx) => change(trx, name, login, removeMember))
      return `${login} is no longer a member of ${name}.`
    }
  },

  list: {
    operands: ['NAME'],
    async run(store, [name = '']) {
      const { id } = await requireGroup(store.read, name)
      return (await listMembers(store.read, id)).join('\n')
    }
  }
}

/** Adds or removes a member, after waiting for the user's running transactions. */
async function change(trx: Trx, name: string, login: string, apply: typeof addMember) {
  await lockUsers(trx, login)
  await apply(trx, system, await requireGroup(trx, name), await requireUser(trx, login))
}
