/** How people sign in with an identity provider (OpenID Connect). */
export interface ProviderSettings {
  issuer: string
  /** The name for people. */
  name: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** The origin at which browsers reach this server. */
  publicUrl: string
  /** The claim that becomes the login of a new user. */
  loginClaim: string
  /** The claim that decides about roles, and its values; undefined if users keep their roles. */
  roleClaim: string | undefined
  adminValues: string[]
  auditorValues: string[]
  /** Whether unknown people become users. */
  createUsers: boolean
}
