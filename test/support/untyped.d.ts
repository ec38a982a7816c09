// Packages without types, of which tests use only a small part.
declare module 'oidc-provider'
