/** A module to mutate, with the tests that cover it. */
export interface Module {
  name: string
  /** Globs for the program's source files, relative to the root. */
  mutate: string[]
  /** Test files, as paths in test/. */
  tests: string[]
}

/** Each module is tested separately, on SQLite. */
export const modules: Module[] = [
  {
    name: 'grants',
    mutate: ['db/graphs/grantees.ts', 'db/sharing/grants.ts', 'db/sharing/groups.ts', 'db/graphs/listed-grants.ts'],
    tests: [
      'sharing/grants',
      'sharing/groups',
      'sharing/ended-grants',
      'sharing/transfer',
      'sharing/granted-lists',
      'sharing/access'
    ]
  },
  {
    name: 'access',
    mutate: ['db/graphs/access.ts', 'db/actors.ts', 'db/changes/graphs.ts'],
    tests: [
      'sharing/access',
      'sign-in/authorization',
      'graphs/graphs',
      'graphs/conditional-requests',
      'graphs/keys',
      'graphs/trash',
      'graphs/versions',
      'graphs/graph-files',
      'graphs/lists',
      'sharing/grants',
      'sharing/granted-lists',
      'sharing/links',
      'sharing/transfer',
      'attacks/lost-right-to-graph',
      'attacks/quota'
    ]
  },
  {
    name: 'paging',
    mutate: [
      'db/filters.ts',
      'db/paging.ts',
      'db/lists/graphs.ts',
      'plugins/http/paging.ts',
      'plugins/http/signatures.ts'
    ],
    tests: [
      'graphs/paging',
      'graphs/lists',
      'graphs/tags',
      'server/signatures',
      'sharing/granted-lists',
      'graphs/graphs',
      'audit/events',
      'graphs/trash',
      'graphs/versions'
    ]
  },
  {
    name: 'conditional requests',
    mutate: ['plugins/http/etags.ts', 'plugins/graphs/preconditions.ts'],
    tests: ['graphs/conditional-requests', 'graphs/graphs', 'graphs/versions']
  },
  {
    name: 'versions',
    mutate: ['db/graphs/versions.ts', 'db/lists/versions.ts', 'db/changes/rows.ts'],
    tests: [
      'graphs/versions',
      'graphs/model',
      'graphs/trash',
      'graphs/paging',
      'graphs/graphs',
      'graphs/search',
      'graphs/diff',
      'sharing/links',
      'sharing/transfer',
      'sharing/granted-lists',
      'server/housekeeping'
    ]
  },
  {
    name: 'trash',
    mutate: ['db/changes/trash.ts'],
    tests: ['graphs/trash', 'graphs/model', 'graphs/versions', 'sharing/granted-lists']
  },
  {
    name: 'audit',
    mutate: ['db/audit/events.ts'],
    tests: ['audit/events', 'audit/export', 'audit/epochs', 'graphs/graphs', 'sign-in/users', 'graphs/versions']
  },
  {
    name: 'the proofs of the audit trail',
    mutate: ['audit/*.ts'],
    tests: ['audit/entry', 'audit/notes', 'audit/policy', 'audit/tree', 'audit/verification']
  },
  {
    name: 'the audit log',
    mutate: ['db/audit/*.ts', 'db/upkeep/audit-check.ts', 'db/upkeep/erasure.ts', 'db/upkeep/audit-pruning.ts'],
    tests: ['audit/log', 'audit/epochs', 'audit/check', 'audit/erase', 'audit/prune', 'audit/export', 'audit/lines']
  },
  {
    name: 'search',
    mutate: ['db/search/graphs.ts', 'db/search/word-index.ts', 'db/engine/word-dialects.ts'],
    tests: ['graphs/search', 'graphs/search-model']
  },
  {
    name: 'the SQLite store',
    mutate: [
      'db/engine/sqlite/store.ts',
      'db/engine/sqlite/commits.ts',
      'db/engine/sqlite/connection.ts',
      'db/engine/sqlite/dialect.ts',
      'db/engine/sqlite/readers.ts',
      'db/engine/notify.ts',
      'db/engine/pool.ts',
      'db/engine/row-cache.ts'
    ],
    tests: [
      'store/sqlite',
      'store/sqlite-commits',
      'store/sqlite-connection',
      'store/sqlite-store',
      'store/sqlite-threads',
      'store/pool',
      'store/row-cache'
    ]
  },
  { name: 'diff', mutate: ['graph/diff/*.ts', '!graph/diff/patch.ts'], tests: ['graphs/diff', 'server/mcp'] },
  {
    name: 'tokens and sessions',
    mutate: [
      'plugins/sign-in/authentication.ts',
      'plugins/sign-in/sessions.ts',
      'plugins/sign-in/caller.ts',
      'plugins/http/callers/cookies.ts',
      'plugins/http/callers/tokens.ts',
      'db/users/sessions.ts',
      'db/users/tokens.ts'
    ],
    tests: [
      'sign-in/authentication',
      'sign-in/session',
      'sign-in/active-sessions',
      'sign-in/account',
      'sign-in/tokens',
      'sign-in/second-factor',
      'sign-in/oidc',
      'sign-in/oidc-logout',
      'server/openapi',
      'sign-in/cookies',
      'attacks/idle-session',
      'attacks/cookies',
      'attacks/given-password',
      'attacks/guessing',
      'attacks/lesser-rights',
      'attacks/lost-session-or-role'
    ]
  }
]
