/** Settings for signing in through an identity provider (OpenID Connect). */
export interface ProviderSettings {
  issuer: string
  /** The display name. */
  name: string
  clientId: string
  /** The client secret; undefined for a public client. */
  clientSecret: string | undefined
  /** The origin at which browsers reach this server. */
  publicUrl: string
  /** The claim that provides the login of a new user. */
  loginClaim: string
  /** The claim that determines roles, and the values that grant them; undefined if sign-in does not change roles. */
  roleClaim: string | undefined
  adminValues: string[]
  auditorValues: string[]
  /** Whether to create users for unknown people. */
  createUsers: boolean
}
