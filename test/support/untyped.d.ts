// Packages without types that tests use only a little.
declare module 'oidc-provider'
