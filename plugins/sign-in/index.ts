import type { FastifyInstance } from 'fastify'
import type { Services } from '../http/services.ts'
import account from './account.ts'
import { mySessions, userSessions } from './active-sessions.ts'
import { myTokens, userTokens } from './api-tokens.ts'
import authentication from './authentication.ts'
import backchannelLogout from './backchannel-logout.ts'
import { myIdentity, userIdentities } from './identities.ts'
import { invitationVisits, userInvitations } from './invitations.ts'
import login from './login.ts'
import oidc from './oidc.ts'
import ownPassword from './own-password.ts'
import type { ProviderSettings } from './provider/settings.ts'
import { mySecondFactor, userSecondFactors } from './second-factor.ts'
import secondFactors from './second-factor-codes.ts'
import sessions from './sessions.ts'
import throttle from './throttle.ts'
import users from './users.ts'

const prefix = '/api'

type Ways = Awaited<ReturnType<typeof createWays>>

/** Creates the available ways to sign in: through the identity provider, and with a password. */
export async function createWays({ settings, keyFor }: Services, identityProvider: ProviderSettings | undefined) {
  return {
    // Loaded only if needed, since its libraries take 5% of the startup time.
    provider: identityProvider && new (await import('./provider/provider.ts')).Provider(identityProvider),
    flowKey: keyFor('sign-in'),
    passwordLogin: settings.passwordLogin === 'on'
  }
}

/** Registers the identification of callers, and the verification of passwords and codes, for all routes. */
export async function provide(app: FastifyInstance, { settings, tokenKey, keyFor, idle }: Services) {
  await app.register(authentication, { tokenKey, idle, requireSecondFactor: settings.requireSecondFactor })
  await app.register(sessions, { deviceKey: keyFor('device') })
  await app.register(throttle, { key: keyFor('throttle') })
  await app.register(secondFactors, { key: keyFor('second factor') })
  await app.register(ownPassword, { passwordLogin: settings.passwordLogin === 'on' })
}

export async function serveVisitors(visitors: FastifyInstance, { keyFor }: Services, ways: Ways) {
  await visitors.register(login, { prefix, ...ways })
  await visitors.register(oidc, { prefix, ...ways })
  await visitors.register(backchannelLogout, { prefix, ...ways, key: keyFor('logout') })
}

/** Registers the routes that people need before they have a password. */
export async function serveInvited(invited: FastifyInstance, ways: Ways) {
  await invited.register(invitationVisits, { prefix, ...ways })
}

/** Registers the routes that users need before they have chosen a password and set up a second factor. */
export async function serveNewUsers(members: FastifyInstance) {
  await members.register(account, { prefix })
  await members.register(mySecondFactor, { prefix })
}

export async function serveUsers(work: FastifyInstance, { idle }: Services, ways: Ways) {
  await work.register(myTokens, { prefix })
  await work.register(mySessions, { prefix, idle })
  await work.register(myIdentity, { prefix, ...ways })
}

export async function serveAdministrators(administration: FastifyInstance, { idle, settings }: Services, ways: Ways) {
  await administration.register(users, { prefix })
  await administration.register(userTokens, { prefix })
  await administration.register(userSecondFactors, { prefix })
  await administration.register(userSessions, { prefix, idle })
  await administration.register(userIdentities, { prefix, ...ways })
  await administration.register(userInvitations, { prefix, ...ways, publicUrl: settings.publicUrl })
}
