import { lossMeanings } from '../../../graph/formats/shared/losses.ts'
import type { Usage } from '../account/usage.ts'
import type { AuditFormat, Scope } from '../api.ts'

const numbers = new Intl.NumberFormat('en')

/** Formats a size in bytes. */
function sizeOf(bytes: number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(bytes / 1024 ** power)} ${units[power]}`
}

const plural = (count: number, one: string, many: string) => `${numbers.format(count)} ${count === 1 ? one : many}`

/** All text of the app in English. */
export const en = {
  name: 'Graphstead',
  loading: 'Loading…',
  save: 'Save',
  create: 'Create',
  delete: 'Delete',
  undo: 'Undo',
  cancel: 'Cancel',
  close: 'Close',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  editDescription: 'Edit name and description',
  auditEvents: 'Audit events',
  clearFilters: 'Clear filters',
  skipToContent: 'Skip to content',
  noSuchPage: 'Page not found',
  counts: (nodes: number, edges: number) => `${plural(nodes, 'node', 'nodes')}, ${plural(edges, 'edge', 'edges')}`,
  version: (version: number) => `Version ${version}`,
  createdAt: 'Created',
  password: 'Password',
  passwordHint: 'At least 12 characters. Common passwords are rejected.',
  roles: { USER: 'User', AUDITOR: 'Auditor', ADMIN: 'Administrator' },
  roleHints: {
    USER: 'Can create graphs and view shared ones.',
    AUDITOR: 'Can also read the audit log.',
    ADMIN: 'Has full access.'
  },

  nav: {
    label: 'Main',
    menu: 'Menu',
    graphs: 'Graphs',
    trash: 'Trash',
    audits: 'Audit log',
    users: 'Users',
    groups: 'Groups',
    scheme: 'Colour scheme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    help: 'Help',
    helpKey: 'Help ( ? )',
    account: (login: string) => `Account menu for ${login}`,
    signedInAs: (login: string, role: string) => `Signed in as ${login} (${role})`,
    signOut: 'Sign out'
  },

  signIn: {
    title: 'Sign in',
    welcome: 'Store, share and version your graphs.',
    username: 'Username',
    showPassword: 'Show password',
    ended: 'Your session has expired or was ended elsewhere. Sign in again.',
    passwordChanged: 'Your password has been changed. Sign in again.',
    kept: (login: string) => `Unsaved changes are kept in this window. Sign in as ${login} to continue.`,
    rememberMe: 'Keep me signed in for up to 30 days',
    submit: 'Sign in'
  },

  account: {
    title: 'My account',
    since: (time: string) => `Account created ${time}`,
    usage: ({ graphs, bytes, maxGraphs, maxBytes }: Usage) =>
      `Your graphs use ${sizeOf(bytes)}${maxBytes === undefined ? '' : ` of ${sizeOf(maxBytes)}`}. You have ${maxGraphs === undefined ? plural(graphs, 'graph', 'graphs') : `${numbers.format(graphs)} of ${plural(maxGraphs, 'graph', 'graphs')}`}, including those in the trash.`,
    groups: (names: string[]) =>
      names.length === 0 ? "You're not in any groups." : `Your groups: ${new Intl.ListFormat('en').format(names)}.`,
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordChanged: 'Password changed. Your other sessions have been signed out.',
    sessions: 'Sessions',
    sessionsHint:
      'These browsers and programs are signed in to your account. End one session, or sign out everywhere. API tokens stay valid.',
    signOutEverywhere: 'Sign out everywhere'
  },

  provider: {
    signIn: (name: string) => `Sign in with ${name}`,
    or: 'or with a password',
    administrators: 'administrators can use a password',
    gone: 'Identity provider',
    linked: 'You can sign in with your identity provider.',
    notLinked: 'Link your account to sign in with your identity provider.',
    link: 'Link account',
    unlink: 'Unlink account',
    otherError: 'Sign-in failed. Try again.',
    errors: {
      'sign-in-expired': 'The sign-in expired, or was started in another window. Try again.',
      'sign-in-refused': 'Your identity provider did not sign you in.',
      'identity-invalid': 'Your identity provider sent an invalid response. Contact your administrator.',
      'identity-unknown':
        'No user is linked to this identity. Link it on your account page, or ask your administrator.',
      'identity-taken': 'This identity is already linked to another user.',
      'already-linked': 'Your account is already linked to another identity.',
      'login-unusable': 'Your identity provider returned no usable username. Contact your administrator.',
      'login-taken':
        'A user with your username already exists. If this is you, sign in with your password and link your account.',
      'user-disabled': 'Your account is disabled. Contact your administrator.',
      'provider-unavailable': 'Your identity provider is unavailable. Try again later.',
      'too-many-attempts': 'Too many attempts. Try again later.'
    }
  },

  secondFactor: {
    title: 'Two-factor authentication',
    code: 'Code',
    codeHint: 'The six-digit code from your authenticator app, or a recovery code.',
    off: 'You sign in with only a password. Set up an authenticator app to also require a code. This ends your other sessions.',
    on: (time: string, codes: number) =>
      `Two-factor authentication has been on since ${time}. You have ${plural(codes, 'recovery code', 'recovery codes')} left.`,
    begin: 'Set up',
    secretHint:
      'Scan the QR code with your authenticator app, or add a time-based account with this key. The key will not be shown again.',
    image: 'QR code of the key',
    secret: 'Key',
    copySecret: 'Copy key',
    open: 'Open authenticator app',
    confirm: 'Confirm',
    firstCode: 'Current code',
    wrong: 'This is not the current code. Check that the clock of your phone is right, and enter the next code.',
    recovery: 'Recovery codes',
    recoveryHint:
      'Each code works once, in place of a code from the app. Store the codes where you can reach them without your phone. They will not be shown again.',
    copyRecovery: 'Copy recovery codes',
    kept: 'I saved them',
    renew: 'Replace recovery codes',
    remove: 'Turn off',
    required: 'Set up two-factor authentication',
    requiredReason: (login: string) =>
      `This server requires two-factor authentication for ${login}. Set it up to continue.`
  },

  sessions: {
    none: 'No active sessions.',
    browser: 'Browser',
    token: 'Program using a token',
    unknown: 'Unknown program',
    current: 'This session',
    place: (address: string, since: string, used: string) => `${address}. Signed in ${since}, last used ${used}.`,
    unfamiliar: 'First sign-in from this browser and network.',
    end: 'End session',
    endOne: (name: string) => `End session on ${name}`,
    news: (count: number) => (count === 1 ? 'A new sign-in to your account' : `${count} new sign-ins to your account`),
    newsHint: 'If this was not you, end the session and change your password.',
    show: 'Show sessions',
    wasMe: 'This was me'
  },

  copy: {
    title: 'Copy',
    done: 'Copied.',
    failed: 'Copying failed. Select the text and copy it manually.'
  },

  invitation: {
    title: 'Choose a password',
    reason: (login: string) =>
      `You were invited as ${login}. From now on, sign in with this username and your password.`,
    submit: 'Set password',
    signIn: 'Go to sign-in',
    missing:
      'This invitation is not valid. It may have expired, been used, or been replaced. Ask your administrator for a new one.'
  },

  givenPassword: {
    title: 'Choose a new password',
    reason: (login: string) => `Someone else set the password for ${login}. Choose one that only you know.`
  },

  failure: {
    unreachable: 'Cannot reach the server.',
    unexpected: 'Something went wrong.',
    pageMissing: 'This page could not be loaded.',
    retry: 'Try again',
    reload: 'Reload page',
    refused: 'The server found these problems:',
    requestId: (id: string) => `Request ID: ${id}`,
    line: (line: number, column: number) => `Line ${line}, column ${column}`,
    times: (count: number, lines: number[]) =>
      lines.length < 2
        ? `(${count} times)`
        : `(${count} times: lines ${lines.join(', ')}${lines.length < count ? ', …' : ''})`,
    /** Elements of a list in the content, numbered from 1. */
    elements: { nodes: (number) => `node ${number}`, edges: (number) => `edge ${number}` } as Record<
      string,
      (number: number) => string
    >,
    /** Fields of the API. Other fields are shown by their API names. */
    fields: {
      name: 'Name',
      key: 'Key',
      type: 'Type',
      description: 'Description',
      tags: 'Tags',
      shared: 'Shared',
      owner: 'New owner',
      content: 'Content',
      message: 'Message',
      login: 'Username',
      username: 'Username',
      password: 'Password',
      currentPassword: 'Current password',
      newPassword: 'New password',
      'proof/password': 'Your password',
      'proof/code': 'Code',
      role: 'Role',
      fromDate: 'From',
      toDate: 'To',
      version: 'Version',
      expiresAt: 'Expires on',
      origins: 'Allowed sites',
      idColumn: 'Node ID column',
      sourceColumn: 'Source column',
      targetColumn: 'Target column'
    } as Record<string, string>,
    /** Messages by API error code. For other codes, the app shows the API's own text. */
    problems: {
      'credentials-incorrect': 'Incorrect username or password.',
      'password-incorrect': 'The current password is incorrect.',
      'password-refused': 'The new password was not accepted.',
      'second-factor-required': 'Enter a code from your authenticator app.',
      'second-factor-incorrect': 'The code is incorrect or was already used.',
      'second-factor-setup-required': 'Set up two-factor authentication first.',
      'second-factor-exists': 'Two-factor authentication is already on.',
      'second-factor-not-begun': 'The setup has expired, or another session replaced it. Start again.',
      'sign-in-again': 'Sign out, sign in again with your identity provider, and make this change within ten minutes.',
      'second-factor-missing': 'Two-factor authentication is not set up.',
      'session-not-found': 'This session has already ended.',
      'password-change-required': 'Choose a new password first.',
      'too-many-attempts': 'Too many attempts. Wait a moment and try again.',
      'token-missing': 'Your session has ended. Sign in again.',
      'token-invalid': 'Your session has ended. Sign in again.',
      'session-idle': 'Your session has expired due to inactivity. Sign in again.',
      forbidden: 'You do not have permission to do this.',
      'graph-not-found': 'This graph does not exist, or is not shared with you.',
      'version-conflict': 'Someone else has changed this graph.',
      'precondition-failed':
        'Someone else has changed this graph. The differences are now relative to the latest version.',
      'login-taken': 'This username is taken.',
      'last-administrator': 'The last administrator cannot be removed.',
      'user-owns-graphs': 'This user still owns graphs. Transfer or delete them first, or disable the user instead.',
      'user-not-found': 'User not found.',
      'group-not-found': 'Group not found.',
      'group-name-taken': 'A group with this name already exists.',
      'too-many-tokens': 'Too many tokens. Revoke one first.',
      'token-not-found': 'This token has already been revoked.',
      'key-taken': 'The owner already has another graph with this key.',
      'grant-to-owner': 'The owner already has full access.',
      'too-many-grants':
        'This graph is shared with too many people and groups. Share it with a group instead of individual people.',
      'too-many-members': 'This group has too many members.',
      'link-not-found': 'This link has already been revoked.',
      'links-off': 'Link sharing is disabled on this server.',
      'too-many-links': 'This graph has too many links. Revoke one first.',
      'download-not-allowed': 'This link no longer allows downloads.',
      'body-too-large': 'The file is too large for this server.',
      'file-too-complex': 'Reading this file takes more time or memory than the server allows.',
      'graph-too-complex': 'Creating the result takes more time or memory than the server allows. Try another format.',
      'server-busy': 'The server is busy. Try again in a moment.',
      'store-unavailable': 'The database is currently unavailable. Nothing was changed.'
    } as Record<string, string>
  },

  offline: {
    title: 'No connection to the server',
    detail: 'This page may be out of date. It will reconnect when the server is back.'
  },

  list: {
    range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    size: 'Rows per page',
    page: (number: number) => `Page ${number}`,
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page'
  },

  calendar: {
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextDecade: 'Next decade',
    previousDecade: 'Previous decade'
  },

  graph: {
    picture: 'Preview',
    name: 'Name',
    type: 'Type',
    typeHint: 'The kind of graph, such as “dependency”.',
    description: 'Description',
    shared: 'Shared',
    sharedHint: 'Every signed-in user can view a shared graph. To choose people and groups, use Share.',
    tags: 'Tags',
    key: 'Key',
    keyHint: 'Programs use this key to update the graph.',
    tagsHint: 'Tags help you find the graph. Press Enter or comma after each one.',
    owner: 'Owner',
    by: (owner: string) => `by ${owner}`,
    node: 'Node',
    edge: 'Edge',
    nodes: 'Nodes',
    edges: 'Edges',
    drawing: 'Drawing',
    updatedAt: 'Updated',
    loading: 'Loading the graph…',
    missing: 'This graph does not exist, or is not shared with you.',
    back: 'Back to graphs',
    views: 'View',
    side: 'Details, appearance and filters',
    panels: 'Panel',
    empty: 'This graph has no nodes yet.',
    emptyHint: 'Add nodes, paste a table or import a file.',
    emptyForReaders: 'Only people who can edit this graph can add nodes.',
    import: 'Import file…'
  },

  /** The page that a link opens, for people without an account. */
  linkPage: {
    missing: 'This link is not available.',
    missingHint: 'It was revoked, has expired, or its address is incomplete. Ask the person who sent it to you.',
    protected: 'This graph is password-protected',
    show: 'Show graph',
    wrongPassword: 'Incorrect password.',
    slowed: (seconds: number) => `Too many attempts. Try again in ${plural(seconds, 'second', 'seconds')}.`,
    side: 'Details'
  },

  graphs: {
    create: 'New graph',
    content: 'Content',
    file: 'File',
    removeFile: 'Remove file',
    fileHint: 'Any format that Import accepts.',
    pasted: 'Or an edge table',
    pastedHint: 'Paste at least two columns from a spreadsheet or text file, with column names in the first row.',
    reading: 'Reading content',
    replace: 'Replace content…',
    replaceTitle: (name: string) => `Replace the content of ${name}`,
    replaceSubmit: 'Replace',
    replaced: (name: string) => `The content of ${name} was replaced. The old version is kept in the history.`,
    replaceHint:
      'The file replaces all nodes and edges. To add to them instead, choose Edit and paste a table. You can review the differences before you save.',
    importTitle: (name: string) => `Import a file into ${name}`,
    importSubmit: 'Import',
    importHint: 'Fills the empty graph. You can review the content before you save.',
    imported: (name: string) => `The file was imported into ${name}.`,
    direction: 'Change direction…',
    directionTitle: (name: string) => `Change the direction of edges in ${name}`,
    directionSubmit: 'Change direction',
    directionHint: 'Applies to all edges, and creates a new version of the graph.',
    directionChanged: (name: string) => `The direction of the edges in ${name} was changed.`,
    withoutContent:
      'Leave both empty to create an empty graph. You can add nodes and edges later, in the app or through the API.',
    copy: 'Make a copy',
    /** The name of a copy, cut to the maximum length of a name. */
    copyName: (name: string) => [...`Copy of ${name}`].slice(0, 255).join(''),
    copied: (name: string) => `“${name}” was created.`,
    openCopy: 'Open copy',
    deleteSubmit: 'Move to trash',
    deleteQuestion: (name: string) => `Move “${name}” to the trash? You can restore it from there.`,
    deleted: (name: string) => `“${name}” was moved to the trash.`,
    whose: 'Owner',
    all: 'All',
    everybodys: 'Everyone',
    mine: 'Mine',
    toEdit: 'Shared, can edit',
    toView: 'Shared, view only',
    mayEdit: 'Can edit',
    type: 'Filter by type',
    tags: 'Filter by tags',
    none: 'No graphs yet',
    noneYet: 'Drop a file anywhere on this page: GraphML, GEXF, GML, DOT, CSV, JSON and more.',
    noMatch: 'No graphs match these filters.'
  },

  samples: {
    title: 'Or start with a sample',
    open: 'Create and open',
    create: (name: string) => `Create and open ${name}`,
    graphs: {
      lesMiserables: {
        name: 'Les Misérables',
        type: 'co-occurrence',
        description:
          'Characters who appear together in the novel by Victor Hugo: 77 characters, 254 pairs. Compiled by Donald E. Knuth, The Stanford GraphBase, 1993.'
      },
      karateClub: {
        name: 'Karate club',
        type: 'social',
        description:
          'Friendships in a karate club that split in two: 34 members, 78 ties. Observed by Wayne W. Zachary, An Information Flow Model for Conflict and Fission in Small Groups, 1977.'
      },
      florentineFamilies: {
        name: 'Florentine families',
        type: 'social',
        description:
          'Marriages between 15 Florentine families in the 15th century: 20 ties. From John F. Padgett and Christopher K. Ansell, Robust Action and the Rise of the Medici, 1993.'
      }
    }
  },

  /** Actions on several graphs. */
  bulk: {
    select: 'Select',
    selectOne: (name: string) => `Select ${name}`,
    selectAll: 'Select all graphs on this page',
    selected: (count: number) => `${plural(count, 'graph', 'graphs')} selected`,
    clear: 'Clear selection',
    actions: {
      addTags: 'Add tags…',
      removeTags: 'Remove tags…',
      share: 'Share with everybody…',
      unshare: 'Stop sharing…',
      download: 'Download…',
      delete: 'Delete…'
    },
    submit: {
      addTags: 'Add tags',
      removeTags: 'Remove tags',
      share: 'Share',
      unshare: 'Stop sharing',
      download: 'Download',
      delete: 'Move to trash'
    },
    question: {
      addTags: (count: number) => `Add tags to ${plural(count, 'graph', 'graphs')}.`,
      removeTags: (count: number) => `Remove tags from ${plural(count, 'graph', 'graphs')}.`,
      share: (count: number) => `Let all signed-in users view ${plural(count, 'graph', 'graphs')}?`,
      unshare: (count: number) =>
        `Stop sharing ${plural(count, 'graph', 'graphs')} with everybody? People and groups with access keep it.`,
      download: (count: number) => `Download ${plural(count, 'graph', 'graphs')} as files in a zip archive.`,
      delete: (count: number) =>
        `Move ${plural(count, 'graph', 'graphs')} to the trash? You can restore them from there.`
    },
    done: {
      addTags: (count: number) => `${plural(count, 'graph', 'graphs')} tagged.`,
      removeTags: (count: number) => `Tags removed from ${plural(count, 'graph', 'graphs')}.`,
      share: (count: number) => `${plural(count, 'graph', 'graphs')} shared with everybody.`,
      unshare: (count: number) => `${plural(count, 'graph', 'graphs')} no longer shared with everybody.`,
      download: (count: number) => `${plural(count, 'graph', 'graphs')} downloaded.`,
      delete: (count: number) =>
        `${plural(count, 'graph', 'graphs')} moved to the trash. You can restore them from there.`
    },
    notPermitted: (names: string[]) => `Skipped, because you do not have permission: ${names.join(', ')}.`,
    format: 'Format',
    progress: 'Progress',
    progressOf: (done: number, count: number) => `${numbers.format(done)} of ${numbers.format(count)}`,
    failed: (count: number) => `${plural(count, 'graph', 'graphs')} failed, and stayed selected:`,
    tooManyTags: 'The graph would have too many tags.',
    tooLarge: 'The archive would be larger than 1 GiB.'
  },

  conflict: {
    title: 'Someone else has changed this graph. Your changes are not saved yet.',
    choose: 'Choose a value for each field, then save again.',
    apart: 'You changed different fields. Save again to keep both changes.',
    theirs: (value: string) => `Theirs: ${value}`,
    yours: (value: string) => `Yours: ${value}`,
    empty: '(empty)'
  },

  edit: {
    title: 'Edit',
    beginInMenu: 'Edit nodes and edges',
    node: 'Edit node',
    edge: 'Edit edge',
    addNode: 'Add node',
    addEdges: (count: number) => (count === 1 ? 'Add edge' : `Add ${numbers.format(count)} edges`),
    connectNodes: (count: number) => (count === 1 ? 'Add edge' : `Connect ${numbers.format(count)} nodes`),
    connect: 'Connect to',
    from: (node: string) => `From ${node}`,
    removeNode: 'Remove node',
    removeEdge: 'Remove edge',
    apply: 'Apply',
    idHint: 'Edges and programs use this ID to refer to the node. It cannot be changed later.',
    idTaken: 'Another node has this ID.',
    attributeName: 'Attribute name',
    typeOf: (name: string) => `Type of ${name || 'the attribute'}`,
    valueOf: (name: string) => `Value of ${name || 'the attribute'}`,
    noValue: 'No value',
    addAttribute: 'Add attribute',
    moreAttributes: (left: string) => `Show more (${left} left)`,
    removeAttribute: (name: string) => `Remove ${name || 'the attribute'}`,
    kinds: { text: 'Text', number: 'Number', boolean: 'Yes or no', json: 'JSON' },
    faults: {
      empty: 'Enter a name.',
      twice: 'Another attribute has this name.',
      number: 'Enter a number.',
      boolean: 'Choose true or false.',
      json: 'Enter valid JSON.'
    },
    redo: 'Redo',
    size: (count: number) => (count === 0 ? 'No changes' : plural(count, 'unsaved change', 'unsaved changes')),
    end: 'Stop editing',
    discard: 'Discard changes',
    discardQuestion: (count: number) => `Discard ${plural(count, 'change', 'changes')}? This cannot be undone.`,
    save: 'Save changes',
    saveHint: (count: number) => `This saves ${plural(count, 'change', 'changes')} as a new version.`,
    message: 'Message (optional)',
    saved: (name: string) => `Changes to “${name}” saved.`,
    draftWaits: 'Your unsaved changes could not be loaded. Reload the page to continue editing.',
    draftWithoutVersion:
      'The version you edited no longer exists. Your unsaved changes now apply to the current version. Review them before you save.',
    chooseSides:
      'Someone else also changed these elements. Choose which values to keep, then save again. All other changes are kept.',
    yours: 'Yours',
    theirs: (authors: string[]) =>
      authors.length === 0 ? 'Theirs' : `By ${new Intl.ListFormat('en').format(authors)}`,
    keepYours: 'Keep mine',
    takeTheirs: 'Take theirs',
    removed: '(removed)',
    kept: (edges: number) => (edges === 0 ? '(kept)' : `(kept, with ${plural(edges, 'edge', 'edges')})`),
    before: (value: string) => `Before: ${value}`,
    savedBy: (author: string, version: number) => `${author || 'Someone'} saved version ${version}`,
    merge: 'Merge changes'
  },

  paste: {
    open: 'Paste table…',
    title: 'Paste a table',
    table: 'Table',
    hint: 'Paste rows from a spreadsheet or CSV file. Each row changes the matching node or edge, or adds a new one. Edges may name their nodes by ID or by label. Empty cells are ignored.',
    tableFaults: {
      characters: 'This table has more than 2,000,000 characters. Import it as a file.',
      rows: 'This table has more than 20,000 rows. Import it as a file.',
      columns: 'This table has more than 200 columns. Import it as a file.',
      quotes:
        'In this table, a quoted cell lacks its closing quotation mark, or contains a quotation mark that is not doubled.',
      empty: 'Paste at least one row of data.'
    },
    hasTitles: 'First row contains the titles',
    addsEdges: (count: number) =>
      `Add edges between nodes that already have one (${plural(count, 'row', 'rows')}), instead of changing those`,
    byLabel: (count: number) => `${plural(count, 'node', 'nodes')} found by label`,
    columns: 'Table columns',
    role: 'Use as',
    roleOf: (name: string) => `Use ${name || 'the column'} as`,
    roles: {
      id: 'ID',
      source: 'Edge source',
      target: 'Edge target',
      label: 'Label',
      relation: 'Relation',
      direction: 'Edge direction',
      x: 'X position',
      y: 'Y position',
      z: 'Z position',
      attribute: 'Attribute',
      none: 'Ignore'
    },
    missingColumns: 'Choose one ID column for nodes, or one source column and one target column for edges.',
    doubleColumns: (one: string, other: string) =>
      `The columns “${one}” and “${other}” have the same attribute name. Ignore one of them.`,
    counts: {
      nodes: (added: string, changed: string, same: string) =>
        `Nodes: ${added} new, ${changed} changed, ${same} unchanged`,
      edges: (added: string, changed: string, same: string) =>
        `Edges: ${added} new, ${changed} changed, ${same} unchanged`
    },
    faults: (count: number) => `${plural(count, 'row', 'rows')} cannot be applied`,
    row: (number: number) => `Row ${numbers.format(number)}`,
    rowFaults: {
      id: () => 'has no ID.',
      ends: () => 'has no source or target.',
      twice: () => 'repeats the ID of an earlier row.',
      cells: () => 'has more cells than the table has columns.',
      direction: () => 'has an invalid direction.',
      number: () => 'has a position that is not a number.',
      length: () => 'has an ID, relation or label that is too long.',
      type: (column: string) => `has a value of the wrong type in the column “${column}”, such as text among numbers.`
    }
  },

  tags: {
    show: (tag: string) => `Show graphs tagged ${tag}`,
    count: (count: number) => plural(count, 'graph', 'graphs')
  },

  sharing: {
    open: 'Share…',
    title: (name: string) => `Share “${name}”`,
    shows: (view: string | undefined) =>
      view === undefined
        ? 'The graph opens without a saved view. Choose a default view under Views.'
        : `The graph opens in its default view “${view}”.`,
    kind: 'Share with',
    kinds: { USER: 'Person', GROUP: 'Group' },
    names: { USER: 'Username', GROUP: 'Group name' },
    right: 'Access',
    rights: { READ: 'Can view', WRITE: 'Can edit' },
    rightOf: (name: string) => `Access for ${name}`,
    add: 'Share',
    added: (name: string, right: string) => `${name}: ${right}`,
    remove: (name: string) => `Remove ${name}`,
    access: 'People and groups with access',
    everybody: 'All signed-in users can view',
    everybodyHint: 'When off, only the people and groups above have access.',
    administrators: 'Administrators have access to every graph.',
    handOver: 'Transfer ownership…',
    handOverTitle: (name: string) => `Transfer “${name}”`,
    handOverHint: 'The new owner controls access and can delete the graph.',
    handOverOwnHint:
      'The new owner controls access and can delete the graph. You keep access only if the graph is shared with you, and you cannot take it back yourself.',
    handOverSubmit: 'Transfer ownership',
    newOwner: 'Username of new owner',
    handedOver: (name: string, owner: string) => `“${name}” now belongs to ${owner}.`,
    people: 'People'
  },

  links: {
    tab: 'Link',
    embed: 'Embed',
    title: 'Links',
    hint: 'Anyone with the link can view the graph and copy its data without an account. They cannot edit it.',
    none: 'No links yet. Create one to share the graph without an account.',
    create: 'New link',
    unnamed: 'Unnamed link',
    latest: 'Always the latest version',
    until: (time: string, isOver: boolean) => (isOver ? `Expired ${time}` : `Expires ${time}`),
    hasPassword: 'Password-protected',
    hasDownloads: 'Downloads allowed',
    framedBy: (origins: string) => `Embedding allowed on ${origins}`,
    opened: (count: number) =>
      count === 0 ? 'Never opened' : count === 1 ? 'Opened once,' : `Opened ${numbers.format(count)} times, last`,
    copyOne: (name: string | undefined) => `Copy address of ${name ?? 'unnamed link'}`,
    change: 'Edit…',
    changeOne: (name: string | undefined) => `Edit ${name ?? 'unnamed link'}`,
    revoke: 'Revoke',
    revokeOne: (name: string | undefined) => `Revoke ${name ?? 'unnamed link'}`,
    revokeQuestion: 'The link stops working immediately. This cannot be undone.',
    name: 'Name',
    nameHint: 'A note on what the link is for. Visitors do not see it.',
    shownVersion: 'Version',
    shownVersionHint: (latest: number) =>
      `Leave empty to always show the latest version. Otherwise, enter a version up to ${latest}. It is kept as long as the link exists.`,
    viewHint: 'The colours, sizes, filters and visible part of the graph that visitors see first.',
    lastDay: 'Expires on',
    lastDayHint: 'Leave empty for a link that does not expire.',
    passwordHint: 'Visitors must enter this password. At least 8 characters. Leave empty for no password.',
    passwordKept: 'Leave empty to keep the current password.',
    withoutPassword: 'Remove password',
    origins: 'Allowed sites',
    originsHint: 'Sites allowed to embed this graph, one per line. Leave empty to block embedding.',
    originsExample: 'https://wiki.example.org',
    downloads: 'Allow downloads',
    downloadsHint: 'Visitors can copy the data they see even when this is off.',
    picture: 'Allow link previews',
    pictureHint:
      'Chat apps and wikis can show a picture of the graph. Anyone with the address can see the picture, even without the secret part after #. Other programs may keep a copy after you revoke the link.',
    pictureLost:
      'Chat apps and wikis show no previews yet, because this server does not know its public address. Ask the administrator to set --public-url. Until then, only the address of the picture works.',
    pictureNone:
      'Not available with a password, because the preview would show the graph to people without the password.',
    hasPicture: 'Link previews allowed',
    noneFramed: 'No site can embed this graph yet. Enter the sites to create a link.',
    sitesHint: 'Sites allowed to embed this graph, one per line. Anyone who can open them sees the graph.',
    createEmbed: 'Create HTML',
    /** The name of a link that is created for embedding. */
    embedded: 'Embedded',
    html: 'HTML for your page',
    copyHtml: 'Copy HTML',
    preview: 'Preview',
    previewOf: (name: string) => `Preview of ${name}`
  },

  shownView: {
    title: 'View',
    screen: 'View on the screen',
    save: 'Save view on the screen…',
    own: 'Custom view',
    default: 'Default view',
    defaultOf: (name: string | undefined) => (name === undefined ? 'Default view' : `Default view (${name})`),
    saved: (name: string) => `View “${name}”`
  },

  picture: {
    tab: 'Picture',
    hint: 'The server draws this picture for each request, so it is always up to date. Everyone who can view the graph can open it; programs need a token.',
    viewHint: 'The colours, sizes and filters. To show the view on the screen, save it under a name.',
    form: 'Picture format',
    address: 'Address of the picture',
    copy: 'Copy address of the picture',
    download: (form: string) => `Download ${form}`,
    of: (name: string) => `Picture of ${name}`
  },

  import: {
    open: 'Import',
    title: 'Import graphs',
    choose: 'Drop files here, or choose files',
    hint: 'GraphML, GEXF, GML, DOT, Pajek, CX, XGMML, Excel, CSV, TSV and several JSON formats. Files can be compressed with gzip, zstd or zip.',
    drop: 'Drop files to import',
    submit: (count: number) => `Import ${plural(count, 'graph', 'graphs')}`,
    progress: (file: string) => `Uploading ${file}`,
    remove: (file: string) => `Remove ${file}`,
    done: 'Imported',
    show: (name: string) => `Open ${name}`,
    format: 'Format',
    detect: 'Detect automatically',
    faults: (count: number) => `This file cannot be imported: ${plural(count, 'error', 'errors')}`,
    unclear: 'Choose what the rows are',
    mayBeNodes: (column: string) =>
      `For nodes, “${column}” can be the ID column. For edges, choose the source and target columns.`,
    leftOut: (count: number) => `Skipped because of ${plural(count, 'error', 'errors')}`,
    losses: 'Changed or lost during import',
    noLosses: 'No data is lost.',
    guessed: 'The titles do not make clear what the columns contain, so this is a guess. Check the columns below.',
    partner: 'Goes with',
    partnerHint: 'Imports the tables as one graph.',
    noPartner: 'No other table',
    preview: {
      rows: 'First rows',
      nodes: (file: string) => `Nodes from ${file}`,
      edges: (file: string) => `Edges from ${file}`
    },
    firstRows: (file: string) => `First rows of ${file}`,
    takeOut: 'Separate',
    takeOutTable: (file: string) => `Separate ${file}`
  },

  reading: {
    direction: 'Direction of edges',
    directions: { file: 'As in the file', directed: 'Directed', undirected: 'Undirected' },
    encoding: 'Encoding',
    detectEncoding: 'Detect the encoding automatically',
    encodings: {
      'utf-8': 'Unicode (UTF-8)',
      'utf-16le': 'Unicode (UTF-16LE)',
      'utf-16be': 'Unicode (UTF-16BE)',
      'windows-1252': 'Western European (Windows-1252)',
      macintosh: 'Western European (Mac)',
      'windows-1250': 'Central European (Windows-1250)',
      'iso-8859-2': 'Central European (ISO 8859-2)',
      'windows-1257': 'Baltic (Windows-1257)',
      'windows-1251': 'Cyrillic (Windows-1251)',
      'koi8-r': 'Cyrillic (KOI8-R)',
      'windows-1253': 'Greek (Windows-1253)',
      'windows-1254': 'Turkish (Windows-1254)',
      'windows-1255': 'Hebrew (Windows-1255)',
      'windows-1256': 'Arabic (Windows-1256)',
      'windows-1258': 'Vietnamese (Windows-1258)',
      'windows-874': 'Thai (Windows-874)',
      gb18030: 'Chinese, simplified (GB18030)',
      big5: 'Chinese, traditional (Big5)',
      shift_jis: 'Japanese (Shift_JIS)',
      'euc-jp': 'Japanese (EUC-JP)',
      'euc-kr': 'Korean (EUC-KR)'
    },
    lenient: 'Skip nodes and edges with errors',
    lenientHint: 'Imports the rest of the file. Skipping a node also skips its edges.'
  },

  columns: {
    rows: 'Rows',
    areEdges: 'Rows are edges',
    areNodes: 'Rows are nodes',
    source: 'Source column',
    target: 'Target column',
    id: 'Node ID column',
    choose: 'Choose a column',
    again: (name: string, number: number) => `${name} (column ${number})`,
    endsBecause: {
      choice: 'You chose these columns.',
      names: 'These columns were chosen by name.',
      content: 'These columns were chosen because they share values. Check that they are correct.',
      order: 'These columns were chosen because they come first. Check that they are correct.'
    },
    idBecause: {
      choice: 'You chose this column.',
      names: 'This table lists nodes. The column was chosen by name.',
      content: 'This column was chosen by its values. Check that it is correct.',
      order: 'This column was chosen because it comes first. Check that it is correct.'
    },
    noEnds: 'Choose the source and target columns.',
    noId: 'Choose the node ID column.',
    matrix: 'This is an adjacency matrix.'
  },

  trash: {
    trashedAt: 'Deleted',
    expiresAt: 'Permanent deletion',
    restore: 'Restore',
    restoreName: (name: string) => `Restore ${name}`,
    purge: 'Delete permanently',
    purgeName: (name: string) => `Delete permanently: ${name}`,
    purgeQuestion: (name: string) => `Permanently delete “${name}” and all its versions? This cannot be undone.`,
    open: 'Open trash',
    isInTrash: (name: string) => `“${name}” is in the trash`,
    // The time follows, such as "3 minutes ago".
    trashedBy: (login: string) => (login === '' ? 'It was moved there' : `${login} moved it there`),
    expires: (time: string) => `It will be deleted permanently on ${time}.`,
    none: 'The trash is empty',
    hint: 'Deleted graphs stay here for a while before they are deleted permanently.'
  },

  attributes: {
    id: 'ID',
    label: 'Label',
    source: 'Source',
    target: 'Target',
    relation: 'Relation',
    degree: 'Degree',
    inDegree: 'In-degree',
    outDegree: 'Out-degree',
    leftOut: (count: number) =>
      `${plural(count, 'rare attribute is', 'rare attributes are')} hidden from menus and tables. Details and downloads include all attributes.`
  },

  search: {
    label: 'Find a node',
    placeholder: 'Find a node ( / )',
    nothing: 'No nodes in this graph match.',
    value: (attribute: string, value: string) => `${attribute}: ${value}`,
    everywhere: 'Search all graphs'
  },

  summary: {
    title: 'Summary',
    hint: 'This graph is too large to draw at once. Find a node to explore its neighbours.',
    tables: 'Show as tables',
    drawing: 'Draw everything…',
    tabs: 'Find a node to see its neighbours as a drawing and tables. The buttons in the summary open the whole graph.',
    loading: 'Loading summary…',
    components: 'Connected components',
    largest: (count: string, largest: string) => `${count}; the largest has ${largest} nodes`,
    degrees: ({ min, median, mean, p90, max }: Record<'min' | 'median' | 'mean' | 'p90' | 'max', number>) =>
      `${numbers.format(min)} to ${numbers.format(max)}; median ${numbers.format(median)}, mean ${numbers.format(mean)}, 90% have at most ${numbers.format(p90)}`,
    nodes: 'Node attributes',
    edges: 'Edge attributes',
    attribute: 'Attribute',
    count: 'Count',
    value: (value: string, count: string) => `${value} (${count})`,
    types: {
      string: 'many text values',
      number: 'many numbers',
      boolean: 'yes or no',
      object: 'objects',
      array: 'lists',
      null: 'no value',
      mixed: 'mixed types'
    }
  },

  part: {
    loading: 'Loading neighbours…',
    grow: 'Show neighbours',
    left: (nodes: string, edges: string) => `Nearby but not shown: ${nodes} nodes, ${edges} edges.`,
    more: 'Show more',
    back: 'Draw a part',
    degree: 'Degree in the drawing'
  },

  finder: {
    label: 'Search graphs and nodes',
    placeholder: 'Search graphs and nodes ( / )',
    short: 'Search',
    scope: 'Search in',
    here: 'This graph',
    everywhere: 'All graphs',
    clear: 'Clear search',
    searching: 'Searching',
    results: 'Search results',
    edge: (number: number) => `Edge ${number}`,
    more: 'Show more graphs',
    tooShort: 'Enter at least one letter or digit.',
    nothing: 'No results. Try another search.'
  },

  layout: {
    finished: 'The layout has ended.',
    start: 'Run layout',
    stop: 'Stop layout',
    progress: (percent: string) => `${percent}%`,
    resume: 'Continue layout',
    unsettled: 'The nodes have not settled yet.',
    save: 'Save layout',
    failed: 'The layout stopped because of an error. Reload the page to try again.',
    message: 'Layout',
    undo: 'Undo layout',
    restore: 'Restore saved layout',
    options: 'Layout options',
    name: 'Layout',
    names: {
      force: 'Force-directed',
      circular: 'Circular',
      radial: 'Radial tree',
      grid: 'Grid',
      layered: 'Layered',
      coordinates: 'Coordinates',
      map: 'Map'
    },
    hints: {
      force: 'Edges pull nodes together, and nodes push each other apart (ForceAtlas2), until they settle.',
      circular: 'Places nodes clockwise on a circle, starting at the top, in the order of an attribute.',
      radial:
        'Places the selected node, or else the most central one, in the middle, and the others on rings by their distance from it. Suits trees.',
      grid: 'Places nodes in rows, starting at the top, in the order of an attribute.',
      layered:
        'Places nodes in layers, with edges leading from one to the next, as in a hierarchy. In cycles, some edges point back.',
      coordinates: 'Places nodes by two numeric attributes. Nodes without them are placed below.',
      map: 'Places nodes by longitude and latitude in degrees, with north at the top. Nodes without them are placed below.'
    },
    order: 'Order',
    fileOrder: 'File order',
    descending: 'Descending',
    from: 'Start',
    origins: { scratch: 'From scratch', places: 'From the current places' },
    gravity: 'Gravity',
    spacing: 'Space between nodes',
    overlapping: '0 (nodes may overlap)',
    linLog: 'Tighter clusters (LinLog)',
    dissuadesHubs: 'Longer edges around hubs (dissuade hubs)',
    direction: 'Direction',
    directions: { down: 'Top to bottom', right: 'Left to right' },
    x: 'X axis',
    y: 'Y axis',
    longitude: 'Longitude',
    latitude: 'Latitude',
    projection: 'Projection',
    projections: { equirectangular: 'Equirectangular', mercator: 'Mercator' },
    noNumbers: 'This layout needs a node attribute that contains only numbers.',
    remarks: {
      reversed: (count: string) => `The graph has cycles. Edges that point back: ${count}.`,
      unplaced: (count: string) => `Nodes without a position: ${count}. They are placed below the others.`
    },
    refusals: {
      tooLarge: 'The graph is too large for this layout. Create a new graph from a part of it, or try another layout.',
      noValues: 'No node has values for these attributes. Choose others.'
    }
  },

  paths: {
    title: 'Shortest path',
    tab: 'Path',
    close: 'Close path',
    from: 'From',
    to: 'To',
    fromHere: 'Path from here',
    toHere: 'Path to here',
    swap: 'Swap start and end',
    length: 'Edge length',
    one: 'Each edge counts as 1',
    meaning: 'A larger value means',
    meanings: { longer: 'Farther (distance)', closer: 'Closer (1 / value)' },
    eitherWay: 'Ignore direction',
    nodes: 'Nodes on path',
    open: 'Choose two nodes.',
    none: 'No path connects these nodes.',
    noLengths: 'The edges no longer have this attribute. Choose another one.',
    unfiltered: 'Filters are ignored. A path may pass through hidden nodes.',
    negative: (count: string) =>
      `Shortest paths need values of 0 or more. Edges with a negative value: ${count}. Choose another attribute.`,
    which: (number: string, count: string, isExact: boolean) =>
      `Path ${number} of ${isExact ? '' : 'at least '}${count}, all equally short`,
    previous: 'Previous path',
    next: 'Next path',
    found: (edges: number, shown: string) => (edges === 1 ? '1 edge.' : `${shown} edges.`),
    foundLength: (edges: string, length: string) => `${edges} Length: ${length}.`,
    missing: (count: string) => `Edges ignored because they have no value: ${count}.`,
    zero: (count: string) => `Edges ignored because 1 / 0 is not a length: ${count}.`
  },

  pins: {
    pin: 'Pin',
    unpin: 'Unpin',
    hint: 'Layouts do not move pinned nodes (shortcut: P).',
    unpinAll: (count: string) => `Unpin all (${count})`,
    pinned: (node: string) => `${node}, pinned`
  },

  /** The sliders of a colour picker. */
  colours: { saturation: 'Saturation and brightness', hue: 'Hue' },

  /** Several nodes that are selected in the drawing. */
  marks: {
    title: 'Selected nodes',
    marked: (node: string) => `${node}, selected`,
    select: 'Add to selection',
    deselect: 'Remove from selection',
    only: 'Show only these',
    hide: 'Hide',
    hideAll: (count: number) => (count === 1 ? 'Hide' : `Hide ${numbers.format(count)} nodes`),
    hidden: (count: number) => `${plural(count, 'node is', 'nodes are')} hidden by a filter.`,
    newGraph: 'New graph…',
    newGraphTitle: 'Create graph from selection',
    setValue: (count: number) => (count === 1 ? 'Set value…' : `Set value of ${numbers.format(count)} nodes…`),
    setValueOf: (count: number) => `Set a value for ${plural(count, 'node', 'nodes')}`,
    connect: (count: number) => (count === 1 ? 'Connect to…' : `Connect ${numbers.format(count)} nodes to…`),
    remove: 'Remove nodes',
    pin: (count: number) => (count === 1 ? 'Pin' : `Pin ${numbers.format(count)} nodes`),
    unpin: (count: number) => (count === 1 ? 'Unpin' : `Unpin ${numbers.format(count)} nodes`),
    removeAll: (count: number) => (count === 1 ? 'Remove node' : `Remove ${numbers.format(count)} nodes`),
    clear: 'Clear selection',
    tooMany: 'The page address cannot hold this many nodes. Create a new graph from them instead.'
  },

  menu: {
    title: 'Actions',
    details: 'Show details',
    addNode: 'Add node here…'
  },

  look: {
    title: 'Appearance',
    colour: 'Colour nodes by',
    size: 'Size nodes by',
    label: 'Label nodes by',
    edgeColour: 'Colour edges by',
    edgeSize: 'Size edges by',
    noNumbers: 'The edges have no attribute that contains only numbers.',
    tooLarge: 'Not available in graphs with more than 10,000 nodes and edges.',
    noAttributes: 'The edges have no attributes.',
    sparing:
      'You cannot choose shapes, line styles, node opacity, edge curvature or arrows in graphs with more than 10,000 nodes and edges, because drawing them would be slow.',
    edgeLabel: 'Label edges by',
    palette: { nodes: 'Node palette', edges: 'Edge palette' },
    palettes: {
      distinct: 'Distinct',
      'okabe-ito': 'Okabe–Ito',
      'tol-bright': 'Bright',
      'tol-muted': 'Muted',
      viridis: 'Viridis',
      cividis: 'Cividis',
      plasma: 'Plasma',
      blues: 'Blues',
      'blue-red': 'Blue to red',
      'purple-green': 'Purple to green',
      'orange-purple': 'Orange to purple',
      gradient: 'Own gradient'
    } as Record<string, string>,
    coloursIn: (count: number, darker: number) =>
      `${count} colour-blind safe colours${darker > 0 ? `, ${darker} darker ones` : ''}`,
    gradient: 'Colour-blind safe gradient',
    ownGradient: 'Two or three colours of your choice',
    gradientColours: { nodes: 'Node gradient', edges: 'Edge gradient' },
    gradientStops: {
      first: 'Colour of the smallest number',
      middle: 'Colour of the middle',
      last: 'Colour of the largest number'
    },
    withMiddle: 'Three colours',
    scale: { nodes: 'Node colour scale', edges: 'Edge colour scale' },
    scales: {
      linear: 'Linear: by value',
      log: 'Logarithmic: by magnitude',
      rank: 'Rank: by order of values',
      categories: 'Categories: a colour per value'
    },
    usual: (name: string) => `${name} (default)`,
    more: 'Sizes, labels and edges',
    sizes: 'Node sizes',
    oneSize: 'Node size',
    widths: 'Edge widths',
    oneWidth: 'Edge width',
    inPixels: (label: string) => `${label} (px)`,
    to: 'to',
    numberOf: (label: string, number: string) => `${label}: ${number}`,
    least: (label: string) => `${label}, smallest`,
    greatest: (label: string) => `${label}, largest`,
    labels: 'Labels',
    labelRules: { all: 'All', important: 'Important', none: 'None' },
    labelSize: 'Label size',
    labelsBySize: 'Larger labels for larger nodes',
    mostLabels: 'Number of labelled nodes, at most',
    noLimit: 'No limit',
    font: 'Font',
    fonts: { sans: 'Sans serif', serif: 'Serif' },
    nodeOpacity: 'Node opacity',
    edgeOpacity: 'Edge opacity',
    automatic: 'automatic',
    curvature: 'Edge curvature',
    arrows: 'Arrows on directed edges',
    background: 'Background',
    reset: 'Reset style',
    valueStyle: (value: string) => `Style of ${value}`,
    valueName: 'Name in the legend',
    legendTitle: 'Title in the legend',
    editTitle: (title: string) => `Change title ${title}`,
    counts: 'Counts in the legend',
    valueColours: 'Palette colours',
    valueColour: 'Colour',
    pickColour: 'Pick a colour',
    resetColour: 'Reset',
    shape: 'Shape',
    line: 'Line style',
    marks: {
      ellipse: 'Circle',
      rectangle: 'Square',
      'round-rectangle': 'Rounded square',
      triangle: 'Triangle',
      diamond: 'Diamond',
      hexagon: 'Hexagon',
      octagon: 'Octagon',
      parallelogram: 'Parallelogram',
      vee: 'Arrowhead',
      solid: 'Solid',
      dashed: 'Dashed',
      dotted: 'Dotted'
    } as Record<string, string>,
    moveUp: 'Move up',
    moveDown: 'Move down',
    place: (place: number, count: number) => `${place} of ${count}`,
    withFilters: (count: number) => (count === 0 ? 'Appearance and filters' : `Appearance and filters (${count})`),
    none: 'Nothing',
    computed: 'Calculated'
  },

  filter: {
    title: 'Filters',
    open: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
    shown: (nodes: string, allNodes: string, edges: string, allEdges: string) =>
      `${nodes} of ${allNodes} nodes, ${edges} of ${allEdges} edges`,
    nothingShown: 'No nodes match all filters. Change or remove a filter.',
    add: 'Add filter',
    choose: 'Choose what to filter by',
    clear: 'Remove all filters',
    remove: (title: string) => `Remove filter ${title}`,
    other: 'Other',
    by: 'Filter by',
    byValues: 'Values',
    byRange: 'Range',
    values: (title: string) => `Values of ${title}`,
    shownValues: (shown: string, all: string) => `${shown} of ${all} values shown`,
    searchValues: 'Search values',
    showValues: 'Show all values',
    hideValues: 'Hide all values',
    moreValues: (count: string) => `${count} more. Search to find them.`,
    noValue: 'No values match.',
    between: (from: string, to: string) => `From ${from} to ${to}`,
    and: 'to',
    from: (title: string) => `Minimum ${title}`,
    to: (title: string) => `Maximum ${title}`,
    histogram: (title: string) => `Histogram of ${title}`,
    oneNumber: (value: string) => `All values are ${value}.`,
    noNumber: 'This attribute has no numbers.',
    withoutShown: (count: string) => `Elements without a number are shown (${count}). Narrow the range to hide them.`,
    withoutHidden: (count: string) => `Elements without a number are hidden (${count}).`,
    edgesHint: 'Hides edges only. Their nodes stay visible.',
    noNode: (key: string) => `No node has the attribute ${key}.`,
    noEdge: (key: string) => `No edge has the attribute ${key}.`,
    text: 'Text',
    textHint: 'Searches the ID, label and attributes of each node.',
    around: 'Neighbourhood',
    showAround: 'Show neighbourhood only',
    aroundNode: (label: string) => `Around ${label}`,
    aroundOther: 'Another node',
    chooseNode: 'Choose a node',
    noNodeYet: 'Choose a node to show only its neighbourhood.',
    noSuchNode: (id: string) => `Node ${id} not found.`,
    depth: 'Depth',
    depthHint: 'Maximum number of edges from the node, in either direction. Other filters do not affect this distance.',
    selectShown: (count: string) => `Select all shown nodes (${count})`,
    newGraph: 'Create filtered graph',
    newGraphInMenu: 'Create filtered graph…',
    partOf: (name: string) => `${name} (part)`
  },

  measures: {
    title: 'Measures',
    hint: 'Calculated for the loaded graph. Use a measure to colour, size or filter nodes. “Store” saves it as a node attribute.',
    names: {
      community: 'Community',
      component: 'Component',
      pageRank: 'PageRank',
      betweenness: 'Betweenness',
      closeness: 'Closeness',
      eigenvector: 'Eigenvector centrality',
      hub: 'Hub (HITS)',
      authority: 'Authority (HITS)',
      core: 'Core number',
      clustering: 'Clustering coefficient',
      weightedDegree: 'Weighted degree'
    },
    hints: {
      community: 'Groups of densely connected nodes',
      component: 'Parts with no edges between them',
      pageRank: 'Importance based on incoming edges',
      betweenness: 'Share of shortest paths through the node',
      closeness: 'Short distances to all other nodes',
      eigenvector: 'Importance based on important neighbours',
      hub: 'Points to good authorities',
      authority: 'Good hubs point to it',
      core: 'Largest k-core that contains the node',
      clustering: 'Share of neighbour pairs that are connected',
      weightedDegree: 'Sum of edge weights'
    },
    compute: 'Calculate',
    computeOf: (name: string) => `Calculate ${name}`,
    computeAll: 'Calculate all',
    computing: (name: string) => `Calculating ${name}…`,
    stop: 'Stop',
    stopAll: 'Stop all',
    stopOf: (name: string) => `Stop calculating ${name}`,
    colour: 'Colour',
    colourBy: (name: string) => `Colour nodes by ${name}`,
    size: 'Size',
    sizeBy: (name: string) => `Size nodes by ${name}`,
    store: 'Store',
    storeOf: (name: string) => `Store ${name} as an attribute`,
    stored: (name: string) => `${name} is now a node attribute. Save your changes to keep it.`,
    failed: (name: string, reason: 'noWeight' | 'noLimit' | undefined) =>
      reason === 'noWeight'
        ? `${name} is undefined for this graph, because no edge has a positive weight.`
        : reason === 'noLimit'
          ? `${name} could not be calculated, because the iteration does not converge for this graph.`
          : `${name} could not be calculated because of an error.`,
    resolution: 'Resolution',
    resolutionHint: 'Above 1: more, smaller communities',
    weight: 'Edge weight',
    weightHint: 'For communities, PageRank, HITS, weighted degree and modularity',
    noWeights: 'No weights',
    ofNodes: 'Nodes',
    statistics: 'Statistics'
  },

  statistics: {
    hint: 'Calculated as in NetworkX, for the nodes and edges that are shown.',
    title: (nodes: string, edges: string) => `Statistics of ${nodes} nodes and ${edges} edges`,
    compute: 'Calculate',
    computing: 'Calculating statistics…',
    computed: 'Statistics calculated.',
    stop: 'Stop',
    copy: 'Copy statistics',
    failed: 'The statistics could not be calculated because of an error.',
    outdated: 'The graph, the filters, the weights or the groups have changed. Calculate again.',
    groups: 'Groups for modularity',
    louvain: 'Communities of the nodes shown (Louvain)',
    names: {
      nodes: 'Nodes',
      edges: 'Edges',
      meanDegree: 'Average degree',
      density: 'Density',
      components: 'Components',
      strongComponents: 'Strongly connected components',
      diameter: 'Diameter',
      meanDistance: 'Average shortest path length',
      transitivity: 'Transitivity',
      meanClustering: 'Average clustering coefficient',
      reciprocity: 'Reciprocity',
      assortativity: 'Degree assortativity',
      modularity: 'Modularity'
    },
    undefined: '—',
    atLeast: (value: string) => `≥ ${value}`,
    about: (value: string) => `≈ ${value}`,
    inLargest: (of: string, all: string) => `In the largest component: ${of} of ${all} nodes`,
    inLargestStrong: (of: string, all: string) => `In the largest strongly connected component: ${of} of ${all} nodes`,
    estimated: (starts: string, of: string) => `Estimated from the distances from ${starts} of ${of} nodes`,
    groupsOf: (title: string, count: string) => `${title}: ${count} groups`,
    bothWays: 'Incoming and outgoing edges together',
    noNode: 'Undefined for a graph without nodes',
    noEdge: 'Undefined for a graph without edges',
    onlyDirected: 'Defined only for directed graphs',
    noVariation: 'Undefined because the degrees at the ends of the edges do not vary',
    noWeight: 'Undefined because the edge weights add up to 0',
    columns: ['Statistic', 'Value', 'Note']
  },

  legend: {
    blank: '(blank)',
    missing: '(without a value)',
    count: (count: string) => `(${count})`,
    shown: (shown: string, count: string) => `(${shown} of ${count})`,
    title: 'Legend',
    more: 'Show whole legend',
    less: 'Shrink legend',
    hide: 'Hide legend',
    show: 'Show legend',
    edges: (title: string) => `Edges: ${title}`,
    size: (title: string) => `Size: ${title}`,
    edgeSize: (title: string) => `Edge size: ${title}`,
    others: (count: string) => `${count} more`,
    range: (least: string, greatest: string) => `${least} to ${greatest}`,
    scales: { log: 'logarithmic', rank: 'by rank' },
    only: 'Only',
    showOnly: (value: string) => `Show only ${value}`,
    all: 'All',
    showAll: (title: string) => `Show all values of ${title}`
  },

  drawing: {
    label: (name: string, counts: string) =>
      `Drawing of ${name}: ${counts}. Use the arrow keys to move between nodes, Enter to show the details of a node, and Escape to close them. Shift+Enter selects several nodes, Ctrl+A selects all, and Shift+F10 opens a menu. Hold Shift and use the arrow keys to move the drawing, press plus and minus to zoom, and 0 to show everything. The tables list the same nodes and edges.`,
    keys: 'Arrow keys: next node · Enter: details · Shift+Enter: select · Shift+F10: menu · + − 0: zoom · ?: help',
    node: (label: string, degree: string) => `${label}, degree ${degree}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all',
    gestures: {
      lasso: 'Select nodes with a lasso (Shift + drag)',
      connect: 'Connect nodes by dragging (Alt + drag)'
    },
    tooLarge: (limit: string) =>
      `This graph has more than ${limit} nodes and edges, which is more than most devices draw smoothly.`,
    anyway: 'Draw anyway',
    cost: (seconds: number, memory: string) =>
      `Drawing it takes about ${plural(seconds, 'second', 'seconds')} and ${memory} MB of memory on a computer without a graphics card. The page will not respond while it draws, and moving the drawing will be slow.`,
    noWebGl: 'This browser cannot draw graphs because it does not support WebGL.',
    asTable: 'Show as table'
  },

  details: {
    title: 'Details',
    none: 'Select a node or an edge to see its values.',
    close: 'Close details',
    values: 'Values',
    metadata: 'Metadata',
    measures: 'Measures (calculated)',
    edges: (count: string) => `Edges (${count})`,
    more: (count: string) => `${count} more`,
    directed: 'Directed edge',
    undirected: 'Undirected edge'
  },

  table: {
    search: 'Search this table',
    computed: 'calculated',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    nodes: (name: string) => `Nodes of ${name}`,
    edges: (name: string) => `Edges of ${name}`,
    keys: 'Use the arrow keys to move between cells. Press Enter or F2, or start typing, to edit a cell. Enter and Tab accept the value, Escape cancels. In a read-only cell, Enter shows the node or edge. Space selects the row, and Shift+Space selects all rows from the last selected one. Ctrl+A selects all rows, and Escape clears the selection.',
    keptValue: (written: string, fault: string) => `“${written}” was not accepted. ${fault}`,
    format: (title: string) => `Number format of ${title}`,
    formats: {
      automatic: 'Automatic',
      plain: 'Plain',
      grouped: 'Grouped',
      'decimals-0': 'No decimals',
      'decimals-1': '1 decimal',
      'decimals-2': '2 decimals',
      'decimals-3': '3 decimals',
      'decimals-4': '4 decimals',
      percent: 'Percent'
    },
    selection: 'Selected rows',
    selectRow: (number: string) => `Select row ${number}`,
    selectAll: 'Select all rows',
    selected: (count: string) => `${count} selected`,
    setValue: 'Set value…',
    setValueOf: (count: number) => `Set a value for ${plural(count, 'row', 'rows')}`,
    setValueSubmit: 'Set value',
    remove: 'Remove rows',
    column: 'Column',
    newAttribute: 'New attribute',
    emptyRemoves: 'Leave empty to remove the current values. You can undo the change to all rows in one step.'
  },

  views: {
    title: 'Views',
    open: 'Saved views',
    begin: 'Save view…',
    save: 'Save view',
    unsaved: 'No saved view has this style.',
    hint: 'Saves the colours, sizes, filters and visible part of the graph. Everyone who can view the graph can open its views.',
    name: 'Name',
    replaces: (author: string) =>
      author ? `This replaces the view saved by ${author}.` : 'This replaces the existing view with this name.',
    saved: (name: string) => `View “${name}” saved.`,
    remove: 'Remove view',
    removed: (name: string) => `View “${name}” removed.`,
    default: 'Default view',
    none: 'None',
    markedDefault: '(default)',
    isDefault: (name: string) => `“${name}” is the default view.`,
    noDefault: 'The graph no longer has a default view.'
  },

  link: { title: 'Copy view link', copied: 'Link copied.' },

  download: {
    title: 'Download',
    picture: 'Picture of the current view',
    png: (scale: number) => (scale === 1 ? 'PNG' : `PNG, ${scale} × resolution`),
    withLegend: 'With legend',
    withTitle: 'With title',
    svg: 'SVG',
    print: 'Figure for print…',
    printTitle: 'Figure for print',
    printWidth: 'Width in centimetres',
    printPreset: (centimetres: string) => `${centimetres} cm`,
    printPresets: 'Usual one-column and two-column widths',
    printSizeInCm: (width: string, height: string) =>
      `${width} × ${height} cm. Labels that do not fit are left out unless you label all nodes. The legend is below the drawing.`,
    printSize: (width: string, height: string) =>
      `${width} × ${height} pixels. Labels that do not fit are left out unless you label all nodes. The legend is below the drawing.`,
    printLabels: 'Label size in points',
    printFormat: 'Format',
    printDots: (dots: string) => `PNG, ${dots} dpi`,
    printPreview: 'Preview',
    printTooLarge: (most: string) =>
      `Browsers cannot make pictures of more than ${most} pixels in width or height. Choose a smaller width or resolution.`,
    printSubmit: 'Download figure',
    file: 'Graph file',
    losses: 'Some data is lost in this format',
    /** Losses by code. The API uses the same strings in import reports. */
    kinds: lossMeanings as Record<string, string>
  },

  history: {
    title: 'History',
    of: (name: string) => `History of ${name}`,
    versions: 'Versions',
    version: 'Version',
    differences: 'Differences',
    from: 'From',
    to: 'To',
    fromVersion: (version: number) => `Compare from version ${version}`,
    toVersion: (version: number) => `Compare to version ${version}`,
    between: (from: number, to: number) => `Version ${from} to version ${to}`,
    all: (to: number) => `Everything in version ${to}`,
    list: 'List',
    current: 'Current',
    restoredFrom: (version: number) => `restored from version ${version}`,
    by: (principal: string, time: string) => `${principal}, ${time}`,
    restore: 'Restore',
    restoreVersion: (version: number) => `Restore version ${version}`,
    restoreHint: 'This creates a new version with the old content. No version is lost.',
    message: 'Message (optional)'
  },

  diff: {
    drawing: 'Drawing of both versions, with changes marked by colour. The list shows the same changes.',
    nothing: 'No differences.',
    reordered: 'Only the order of nodes and edges differs.',
    truncated: 'This list shows only the first 10,000 differences of each kind.',
    fields: 'Graph fields',
    names: {
      id: 'ID',
      label: 'Label',
      source: 'Source',
      target: 'Target',
      relation: 'Relation',
      directed: 'Directed',
      name: 'Name',
      type: 'Type',
      description: 'Description',
      tags: 'Tags',
      shared: 'Shared',
      key: 'Key'
    },
    change: (name: string) => `${name}:`,
    marks: { added: 'Added', removed: 'Removed', changed: 'Changed', same: 'Unchanged' },
    nodes: {
      added: (count: string) => `Nodes added (${count})`,
      removed: (count: string) => `Nodes removed (${count})`,
      changed: (count: string) => `Nodes changed (${count})`
    },
    edges: {
      added: (count: string) => `Edges added (${count})`,
      removed: (count: string) => `Edges removed (${count})`,
      changed: (count: string) => `Edges changed (${count})`
    }
  },

  audits: {
    range: 'Period',
    any: 'Any',
    clear: (what: string) => `Clear ${what}`,
    none: 'No events match these filters.',
    activity: 'Events per day',
    chart: (total: number, most: number) =>
      `${plural(total, 'event', 'events')}, up to ${numbers.format(most)} per day`,
    day: (day: string, count: number) => `${day}: ${plural(count, 'event', 'events')}`,
    event: (id: number) => `Event ${id}`,
    time: 'Time',
    exactTime: 'Time (UTC)',
    principal: 'User',
    type: 'Event',
    outcome: 'Outcome',
    target: 'Target',
    targetType: 'Target type',
    targetId: 'Target ID',
    ip: 'IP address',
    route: 'Request',
    userAgent: 'Client',
    token: 'Token',
    tokenOf: (name: string, id: number) => `${name} (${id})`,
    request: 'Request ID',
    data: 'Changes',
    noData: 'This event has no additional data.',
    erased: 'erased',
    erasedHint: 'Personal data in this event was erased. Its proof is still valid.',
    export: {
      title: 'Export',
      content: (total: number) =>
        `Exports ${plural(total, 'event', 'events')} matching the current period and filters. Events from the last two seconds may be missing. The audit log records the export.`,
      formats: {
        jsonl: {
          name: 'JSONL',
          hint: 'For proofs: one line per event, with its position and exact entry in the audit log.'
        },
        csv: { name: 'CSV', hint: 'For spreadsheets: one row per event, with its position in the audit log.' }
      } satisfies Record<AuditFormat, { name: string; hint: string }>
    },
    version: (name: string, version: number) => `${name}, version ${version}`,
    targetTypes: { GRAPH: 'Graph', USER: 'User', GROUP: 'Group' },
    outcomes: { SUCCESS: 'Success', FAILURE: 'Failure', DENIED: 'Denied' },
    types: {
      AUTHENTICATION_SUCCESS: 'Signed in',
      AUTHENTICATION_FAILURE: 'Sign-in failed',
      AUTHORIZATION_FAILURE: 'Access denied',
      PASSWORD_CHANGED: 'Password changed',
      SESSION_ENDED: 'Signed out',
      SESSIONS_ENDED: 'All sessions ended',
      SECOND_FACTOR_ENABLED: 'Two-factor authentication turned on',
      SECOND_FACTOR_DISABLED: 'Two-factor authentication turned off',
      RECOVERY_CODE_USED: 'Recovery code used',
      RECOVERY_CODES_RENEWED: 'Recovery codes replaced',
      USER_CREATED: 'User created',
      USER_UPDATED: 'User changed',
      USER_DELETED: 'User deleted',
      USER_LINKED: 'Account linked',
      USER_UNLINKED: 'Account unlinked',
      USER_INVITED: 'User invited',
      INVITATION_ACCEPTED: 'Invitation accepted',
      TOKEN_CREATED: 'Token created',
      TOKEN_REVOKED: 'Token revoked',
      GRAPH_CREATED: 'Graph created',
      GRAPH_UPDATED: 'Graph changed',
      GRAPH_SHARED: 'Graph shared',
      GRAPH_UNSHARED: 'Graph unshared',
      GRAPH_ACCESS_GRANTED: 'Graph access granted',
      GRAPH_ACCESS_REVOKED: 'Graph access revoked',
      GRAPH_VIEW_SAVED: 'Graph view saved',
      GRAPH_VIEW_REMOVED: 'Graph view removed',
      GRAPH_TRANSFERRED: 'Graph transferred',
      LINK_CREATED: 'Graph link created',
      LINK_UPDATED: 'Graph link changed',
      LINK_REVOKED: 'Graph link revoked',
      LINK_OPENED: 'Graph link opened',
      GRAPH_RESTORED: 'Graph restored',
      GRAPH_TRASHED: 'Graph moved to trash',
      GRAPH_PURGED: 'Graph permanently deleted',
      GRAPH_DELETED: 'Graph deleted',
      GROUP_CREATED: 'Group created',
      GROUP_UPDATED: 'Group changed',
      GROUP_DELETED: 'Group deleted',
      SERVER_STARTED: 'Server started',
      SERVER_STOPPED: 'Server stopped',
      STORE_RESTORED: 'Database restored',
      AUDIT_EPOCH_STARTED: 'Audit log started with new origin',
      AUDIT_EXPORTED: 'Audit events exported',
      AUDIT_ERASED: 'Personal data erased from audit log',
      AUDIT_PRUNED: 'Old audit events removed'
    }
  },

  proof: {
    title: 'Proof',
    looking: 'Loading proof…',
    proved: (size: number) => `Proved by a checkpoint covering ${plural(size, 'event', 'events')}`,
    soon: 'Not in the audit log yet. Events are added within two seconds.',
    late: 'Not in the audit log yet. This is taking longer than usual. Check the server log for the reason.',
    place: (index: number, hashes: number, time: string) =>
      `Leaf ${numbers.format(index)} of the log. The path to the root has ${plural(hashes, 'hash', 'hashes')}. Checked at ${time}.`,
    text: 'Proof text',
    copy: 'Copy proof',
    download: 'Download proof'
  },

  checkpoint: {
    title: 'Checkpoints',
    back: 'Back to audit log',
    last: 'Latest checkpoint',
    lastOf: (size: number) => `Latest checkpoint: ${plural(size, 'event', 'events')}`,
    line: (root: string, time: string) => `Root ${root}…, checked at ${time}`,
    origin: (origin: string) => `Origin ${origin}`,
    looking: 'Loading latest checkpoint…',
    none: 'No checkpoint yet. Trying again in a moment.',
    copy: 'Copy checkpoint',
    download: 'Download checkpoint',
    why: 'Why keep checkpoints?',
    /** A test checks that there are exactly five. */
    sentences: [
      'A checkpoint is a short, signed text from this server that contains a fingerprint of all audit events so far.',
      'The owner of this machine could change old events, but the result would not match a checkpoint stored elsewhere.',
      'From time to time, store one where the administrators of this server cannot change it: with your auditor, in an email, or in the repository of another team.',
      'Anyone can then check, with Graphstead or another program, that no earlier event was changed, removed, moved or inserted.',
      'A checkpoint contains no personal data, stays valid after personal data is erased or old events are removed, and proves nothing about later events.'
    ],
    details: (size: number, time: string) => `Covers ${plural(size, 'event', 'events')}. Checked at ${time}.`,
    key: 'Verifier key',
    keyHint: "Use this key to verify this server's signature. Store it with your first checkpoint.",
    copyKey: 'Copy verifier key',
    command: 'Verify a stored checkpoint',
    commandHint:
      'Run this on another machine, in the folder that contains the stored checkpoint. Set GRAPHSTEAD_TOKEN to a token that can read audit events.',
    copyCommand: 'Copy command',
    manual:
      'docs/audit-verify.md, included with Graphstead, explains how to verify the log without Graphstead and which attacks remain possible.',
    docs: 'The API documentation describes the requests.'
  },

  users: {
    login: 'Username',
    loginHint: 'Lowercase letters, digits and . _ @ -',
    role: 'Role',
    create: 'New user',
    you: 'You',
    disabled: 'Disabled',
    disable: 'Disable',
    enable: 'Enable',
    changeRole: 'Change role',
    resetPassword: 'Reset password',
    kind: 'Type',
    kinds: { PERSON: 'Person', SERVICE: 'Service' },
    kindHints: {
      PERSON: 'Signs in with a password.',
      SERVICE: 'Has no password. Its programs use tokens created by administrators.'
    },
    linked: 'linked',
    secondFactor: 'two-factor',
    lastSeen: 'Last seen',
    neverSeen: 'Never',
    sessions: 'Sessions…',
    sessionsOf: (login: string) => `Sessions of ${login}`,
    endSessions: 'End all sessions',
    invite: 'Invite by link…',
    firstPassword: 'First password',
    firstPasswords: { invite: 'The person chooses it with a link', set: 'Choose it now' },
    inviteTitle: (login: string) => `Invite ${login}`,
    inviteHint:
      'Creates a link that lets this person choose a password. It works once, within seven days, and replaces any earlier link.',
    inviteSubmit: 'Create link',
    invited: 'Send this link only to the person it is for. It will not be shown again.',
    inviteLink: 'Link',
    inviteExpires: (time: string) => `Expires ${time}.`,
    removeFactor: 'Turn off two-factor authentication',
    factorQuestion: (login: string) =>
      `Turn off two-factor authentication for ${login}? They will need only a password to sign in. Do this only if they have lost their phone and recovery codes, and after checking that the request really comes from them.`,
    noPassword: 'No password',
    service: 'Service',
    deleteQuestion: (login: string) => `Delete ${login}? The audit events of this user are kept.`,
    ownPassword: 'Your password',
    enableUser: (login: string) => `Enable ${login}`,
    enableHint: (role: string) => `The user can sign in again, with the role ${role}.`,
    roleOf: (login: string) => `Role of ${login}`,
    passwordOf: (login: string) => `New password for ${login}`,
    firstPasswordHint: 'Send this password to the user yourself. They must choose a new one when they first sign in.',
    passwordHint:
      "This ends all of the user's sessions. Send them the new password yourself. They must choose another one when they next sign in."
  },

  tokens: {
    title: 'Tokens',
    hint: 'A program sends a token instead of a password. It can do what you can do, within the permissions you choose.',
    of: (login: string) => `Tokens for ${login}`,
    open: 'Tokens…',
    none: 'No tokens yet. Create one for a program that uses the API.',
    create: 'New token',
    name: 'Name',
    nameHint: 'What the token is for, such as “nightly import”.',
    rights: 'Permissions',
    rightsHint: 'Permission to change includes permission to read. Grant only what the program needs.',
    scopes: {
      'read:graphs': 'Read graphs',
      'write:graphs': 'Change graphs',
      'read:audits': 'Read audit events and metrics',
      'read:users': 'Read users and groups',
      'write:users': 'Change users and groups'
    } satisfies Record<Scope, string>,
    expires: 'Expires after',
    days: (count: number) => plural(count, 'day', 'days'),
    state: (expiry: string, isOver: boolean, lastUse: string | undefined) =>
      `${isOver ? 'Expired' : 'Expires'} ${expiry}. ${lastUse === undefined ? 'Never used.' : `Last used ${lastUse}.`}`,
    revoke: 'Revoke',
    revokeOne: (name: string) => `Revoke ${name}`,
    revokeQuestion: (name: string) => `Revoke “${name}”? Programs that use it lose access immediately.`,
    created: 'Token created',
    createdHint: 'Copy the token now. It will not be shown again.',
    token: 'Token'
  },

  groups: {
    name: 'Name',
    description: 'Description',
    create: 'New group',
    members: 'Members',
    membersOf: (name: string) => `Members of ${name}`,
    add: 'Add member',
    added: (login: string) => `${login} is now a member.`,
    counts: (members: number, graphs: number) =>
      `${plural(members, 'member', 'members')}, ${plural(graphs, 'shared graph', 'shared graphs')}`,
    more: (count: string) => `${count} more. Type to find them.`,
    deleteQuestion: (name: string, members: number, graphs: number) =>
      `Delete ${name}? ${plural(members, 'member loses', 'members lose')} access to ${plural(graphs, 'shared graph', 'shared graphs')}. Users and graphs are not deleted. This cannot be undone.`,
    none: 'No groups yet',
    hint: 'Create a group to share graphs with several users at once.'
  }
}
