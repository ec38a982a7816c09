import { readFileSync } from 'node:fs'
import type { ProviderSettings } from '../../plugins/sign-in/provider/settings.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BadSetting } from './config.ts'
import { secretText } from './secret-text.ts'

/** Settings that require another setting: both names, and the error message. */
const NEEDED = [
  ['oidcIssuer', 'oidcClientId', '--oidc-issuer requires --oidc-client-id'],
  ['oidcIssuer', 'publicUrl', '--oidc-issuer requires --public-url'],
  ['oidcClientId', 'oidcIssuer', '--oidc-client-id requires --oidc-issuer'],
  ['oidcClientSecretFile', 'oidcIssuer', '--oidc-client-secret-file requires --oidc-issuer'],
  ['oidcRoleClaim', 'oidcIssuer', '--oidc-role-claim requires --oidc-issuer'],
  ['oidcAdminValues', 'oidcRoleClaim', '--oidc-admin-values requires --oidc-role-claim'],
  ['oidcAuditorValues', 'oidcRoleClaim', '--oidc-auditor-values requires --oidc-role-claim']
] as const satisfies readonly (readonly [keyof Settings, keyof Settings, string])[]

/**
 * Reads the identity provider's settings. Returns undefined if no provider is configured. Throws BadSetting if the values are
 * inconsistent.
 */
export function readIdentityProvider(config: Settings): ProviderSettings | undefined {
  for (const [name, needed, message] of NEEDED) {
    if (config[name] !== undefined && config[needed] === undefined) throw new BadSetting(message)
  }
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl } = config
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) {
    if (config.oidcCreateUsers === 'on') throw new BadSetting('--oidc-create-users on requires --oidc-issuer')
    if (config.passwordLogin === 'off') throw new BadSetting('--password-login off requires --oidc-issuer')
    return undefined
  }
  const adminValues = valuesOf('--oidc-admin-values', config.oidcAdminValues)
  const auditorValues = valuesOf('--oidc-auditor-values', config.oidcAuditorValues)
  const both = adminValues.find((value) => auditorValues.includes(value))
  if (both !== undefined) {
    throw new BadSetting(`--oidc-admin-values and --oidc-auditor-values: ${both} cannot be in both`)
  }
  if (config.oidcRoleClaim !== undefined && adminValues.length + auditorValues.length === 0) {
    throw new BadSetting('--oidc-role-claim requires --oidc-admin-values or --oidc-auditor-values')
  }
  return {
    issuer: readIssuer(issuer),
    name: config.oidcName,
    clientId,
    clientSecret: readSecretFile(config.oidcClientSecretFile),
    publicUrl: new URL(publicUrl).origin,
    loginClaim: config.oidcLoginClaim,
    roleClaim: config.oidcRoleClaim,
    adminValues,
    auditorValues,
    createUsers: config.oidcCreateUsers === 'on'
  }
}

/** Requests to these hosts never leave this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function readIssuer(issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!url || !isSafe || url.username || url.password || url.search || url.hash) {
    throw new BadSetting(
      '--oidc-issuer must be an https URL without a user, query or fragment; http works on loopback only'
    )
  }
  return issuer
}

function readSecretFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  let secret: string
  try {
    secret = secretText(readFileSync(file))
  } catch (error) {
    throw new BadSetting(`--oidc-client-secret-file: ${file} cannot be read: ${(error as Error).message}`)
  }
  if (secret === '') throw new BadSetting(`--oidc-client-secret-file: ${file} is empty`)
  return secret
}

function valuesOf(flag: string, list: string | undefined): string[] {
  if (list === undefined) return []
  const values = list.split(',').map((value) => value.trim())
  if (values.includes('')) throw new BadSetting(`${flag} has an empty value`)
  return values
}
