// Packages without types, of which tests use little.
declare module 'oidc-provider'
