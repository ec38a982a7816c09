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

/** All texts of the app in English. */
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
  noSuchPage: 'There is no such page',
  counts: (nodes: number, edges: number) => `${plural(nodes, 'node', 'nodes')}, ${plural(edges, 'edge', 'edges')}`,
  version: (version: number) => `Version ${version}`,
  createdAt: 'Created',
  password: 'Password',
  passwordHint: 'At least 12 characters, and not a common one.',
  roles: { USER: 'User', AUDITOR: 'Auditor', ADMIN: 'Administrator' },
  roleHints: {
    USER: 'Creates graphs and reads shared ones.',
    AUDITOR: 'Also reads the audit events.',
    ADMIN: 'Manages everything.'
  },

  nav: {
    label: 'Main',
    menu: 'Menu',
    graphs: 'Graphs',
    trash: 'Trash',
    audits: 'Audits',
    users: 'Users',
    groups: 'Groups',
    scheme: 'Colour scheme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    account: (login: string) => `Account of ${login}`,
    signedInAs: (login: string, role: string) => `Signed in as ${login} (${role})`,
    signOut: 'Sign out'
  },

  signIn: {
    title: 'Sign in',
    welcome: 'Keep graphs, share them, and see their history.',
    username: 'Username',
    showPassword: 'Show password',
    ended: 'Your session has ended, because it was not used for a while or was ended elsewhere. Sign in again.',
    passwordChanged: 'Your password has been changed. Sign in again.',
    kept: (login: string) => `Changes that ${login} has not saved in this window are kept until then.`,
    rememberMe: 'Keep me signed in for up to 30 days',
    submit: 'Sign in'
  },

  account: {
    title: 'My account',
    since: (time: string) => `Account created ${time}`,
    usage: ({ graphs, bytes, maxGraphs, maxBytes }: Usage) =>
      `Your graphs use ${sizeOf(bytes)}${maxBytes === undefined ? '' : ` of ${sizeOf(maxBytes)}`}. You have ${plural(graphs, 'graph', 'graphs')}${maxGraphs === undefined ? '' : ` of ${numbers.format(maxGraphs)}`}, including the trash.`,
    groups: (names: string[]) =>
      names.length === 0 ? 'You are in no group.' : `Your groups: ${new Intl.ListFormat('en').format(names)}.`,
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordChanged: 'Your password has been changed. Your other sessions have ended.',
    sessions: 'Sessions',
    sessionsHint: 'Where you are signed in. You can end one, or all of them at once. The tokens above go on.',
    signOutEverywhere: 'Sign out everywhere'
  },

  provider: {
    signIn: (name: string) => `Sign in with ${name}`,
    or: 'or with a password',
    administrators: 'administrators may sign in with a password',
    gone: 'Identity provider',
    linked: 'You can sign in with your identity provider.',
    notLinked: 'Link your account to sign in with your identity provider.',
    link: 'Link',
    unlink: 'Unlink',
    otherError: 'Sign-in failed. Try again.',
    errors: {
      'sign-in-expired': 'The sign-in took too long, or began in another window. Try again.',
      'sign-in-refused': 'Your identity provider did not sign you in.',
      'identity-invalid': 'The answer of your identity provider is not valid. Tell your administrator.',
      'identity-unknown':
        'No user is linked with your account. Ask your administrator, or link it on the page of your account.',
      'identity-taken': 'Another user is linked with this account.',
      'already-linked': 'Your user is linked with another account.',
      'login-unusable': 'Your identity provider returned no usable username. Tell your administrator.',
      'login-taken':
        'There is already a user with your login. If it is you, sign in with the password and link your account.',
      'user-disabled': 'Your user is disabled.',
      'provider-unavailable': 'Your identity provider is unavailable. Try again later.',
      'too-many-attempts': 'Too many attempts. Try again later.'
    }
  },

  secondFactor: {
    title: 'Second factor',
    code: 'Code',
    codeHint: 'The six digits of your authenticator app, or a recovery code.',
    off: 'Signing in asks for your password only. With an authenticator app it also asks for a code, which changes every thirty seconds. Setting it up ends your other sessions.',
    on: (time: string, codes: number) =>
      `Two-factor authentication has been on since ${time}. You have ${plural(codes, 'recovery code', 'recovery codes')} left.`,
    begin: 'Set up',
    secretHint: 'Enter this key in your authenticator app as a new account, by time. Nobody can see it again.',
    secret: 'Key',
    copySecret: 'Copy the key',
    open: 'Open in an app on this device',
    confirm: 'Confirm',
    firstCode: 'Code that the app shows now',
    recovery: 'Recovery codes',
    recoveryHint:
      'Each of them works once, in place of a code of the app. Keep them where you find them without your phone. Nobody can see them again.',
    copyRecovery: 'Copy the recovery codes',
    kept: 'I have kept them',
    renew: 'New recovery codes',
    remove: 'Take away',
    required: 'Set a second factor up',
    requiredReason: (login: string) => `This server asks ${login} for a second factor. Set it up to go on.`
  },

  sessions: {
    none: 'No session is listed.',
    browser: 'Browser',
    token: 'Program with a token',
    unknown: 'unknown program',
    current: 'This session',
    place: (address: string, since: string, used: string) => `${address}. Since ${since}, last used ${used}.`,
    unfamiliar: 'First sign-in from there.',
    end: 'End',
    endOne: (name: string) => `End the session of ${name}`,
    news: (count: number) => (count === 1 ? 'A new sign-in to your account' : `${count} new sign-ins to your account`),
    newsHint: 'If that was not you, end the session, and change your password.',
    show: 'Show sessions',
    wasMe: 'That was me'
  },

  copy: {
    title: 'Copy',
    done: 'Copied.',
    failed: 'This browser cannot copy it. Select the text, and copy it by hand.'
  },

  givenPassword: {
    title: 'Choose a new password',
    reason: (login: string) => `Somebody else set the password for ${login}. Choose one that only you know.`
  },

  failure: {
    unreachable: 'The server cannot be reached.',
    unexpected: 'Something went wrong.',
    pageMissing: 'This page could not be loaded from the server.',
    retry: 'Try again',
    reload: 'Load it again',
    refused: 'The server did not accept this:',
    requestId: (id: string) => `Request ${id}`,
    line: (line: number, column: number) => `Line ${line}, column ${column}`,
    times: (count: number, lines: number[]) =>
      lines.length < 2
        ? `(${count} times)`
        : `(${count} times: lines ${lines.join(', ')}${lines.length < count ? ', …' : ''})`,
    /** Elements of a list in the content, by their number from 1. */
    elements: { nodes: (number) => `node ${number}`, edges: (number) => `edge ${number}` } as Record<
      string,
      (number: number) => string
    >,
    /** Fields of the API. Others keep their names. */
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
      login: 'Login',
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
      expiresAt: 'Last day',
      origins: 'Pages that may show it',
      idColumn: 'Column of ids',
      sourceColumn: 'Edges begin in column',
      targetColumn: 'Edges end in column'
    } as Record<string, string>,
    /** By the codes of the API. For other codes the app shows the API's text. */
    problems: {
      'credentials-incorrect': 'The username or password is wrong.',
      'password-incorrect': 'The current password is wrong.',
      'password-refused': 'The new password was not accepted.',
      'second-factor-required': 'Enter the code of your second factor as well.',
      'second-factor-incorrect': 'The code is wrong, or was used before.',
      'second-factor-setup-required': 'Set a second factor up first.',
      'second-factor-exists': 'You have a second factor already.',
      'second-factor-not-begun': 'The setup has expired, or another session replaced it. Start again.',
      'sign-in-again': 'Sign out, and sign in with your identity provider again. You then have ten minutes.',
      'second-factor-missing': 'You have no second factor.',
      'session-not-found': 'This session has ended already.',
      'password-change-required': 'Choose a new password first.',
      'too-many-attempts': 'Too many attempts. Wait a moment, then try again.',
      'token-missing': 'Your session has ended. Sign in again.',
      'token-invalid': 'Your session has ended. Sign in again.',
      'session-idle': 'Your session has ended, because it was not used for a while. Sign in again.',
      forbidden: 'You do not have permission to do this.',
      'graph-not-found': 'This graph does not exist, or is not shared with you.',
      'version-conflict': 'Somebody else has changed this graph meanwhile.',
      'precondition-failed': 'Somebody else has changed this graph. The differences shown are to its new state.',
      'login-taken': 'This login is taken.',
      'last-administrator': 'The last administrator cannot be removed.',
      'user-owns-graphs':
        'This user still owns graphs. Hand them over or delete them first, or disable the user instead.',
      'user-not-found': 'There is no person with this login.',
      'group-not-found': 'There is no group with this name.',
      'group-name-taken': 'There is already a group with this name.',
      'too-many-tokens': 'There are too many tokens already: revoke others first.',
      'token-not-found': 'This token has been revoked already.',
      'key-taken': 'Another graph of the owner has this key.',
      'grant-to-owner': 'The owner has every right already.',
      'too-many-grants': 'This graph is shared with too many people and groups. Make a group of some of them.',
      'too-many-members': 'This group has too many members.',
      'link-not-found': 'This link has been revoked already.',
      'links-off': 'Link sharing is disabled on this server.',
      'too-many-links': 'This graph has too many links: revoke others first.',
      'download-not-allowed': 'The link does not allow downloads any more.',
      'body-too-large': 'The file is too large for this server.',
      'file-too-complex': 'The file takes more time or memory than this server allows.',
      'graph-too-complex': 'The result takes more time or memory than this server allows. Try another format.',
      'server-busy': 'The server is busy. Try again in a moment.',
      'store-unavailable': 'The database is not available at the moment. Nothing was changed.'
    } as Record<string, string>
  },

  offline: {
    title: 'No connection to the server',
    detail: 'This page may be out of date. It reconnects when the server is back.'
  },

  list: {
    range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
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
    picture: 'Picture',
    name: 'Name',
    type: 'Type',
    typeHint: 'Any word for the kind of graph, such as “dependency”.',
    description: 'Description',
    shared: 'Shared',
    sharedHint: 'Every signed-in user can read a shared graph. The share dialog also names people and groups.',
    tags: 'Tags',
    key: 'Key',
    keyHint: 'Programs push to the graph by this name.',
    tagsHint: 'Words to find the graph by. Enter or a comma ends a tag.',
    owner: 'Owner',
    by: (owner: string) => `by ${owner}`,
    node: 'Node',
    edge: 'Edge',
    nodes: 'Nodes',
    edges: 'Edges',
    drawing: 'Drawing',
    updatedAt: 'Changed',
    loading: 'Loading the graph…',
    missing: 'This graph does not exist, or is not shared with you.',
    back: 'Back to graphs',
    views: 'View',
    side: 'Appearance, filters and details',
    panels: 'Panel',
    empty: 'This graph has no nodes yet.',
    emptyHint: 'Import a file, or send content through the API.'
  },

  /** The page of a link, for people without an account. */
  linkPage: {
    missing: 'This link shows nothing.',
    missingHint: 'It has been revoked, has expired, or its address is not complete. Ask whoever gave it to you.',
    protected: 'This graph has a password',
    show: 'Show the graph',
    wrongPassword: 'The password is wrong.',
    slowed: (seconds: number) => `Too many attempts. Try again in ${plural(seconds, 'second', 'seconds')}.`,
    side: 'Details'
  },

  graphs: {
    create: 'New graph',
    content: 'Content',
    file: 'File',
    removeFile: 'Remove the file',
    fileHint: 'In any of the formats of an import.',
    pasted: 'Or a table of edges',
    pastedHint: 'Paste two columns or more, with their names in the first line, from a text or a spreadsheet.',
    reading: 'Reading the content',
    replace: 'Replace content…',
    replaceTitle: (name: string) => `Replace the content of ${name}`,
    replaceSubmit: 'Replace',
    replaced: (name: string) => `${name} has the new content. Its history keeps the old one.`,
    replaceHint: 'The differences are shown before anything is saved.',
    withoutContent: 'Without a file or a table, the graph begins empty. Programs can add nodes and edges by the API.',
    deleteSubmit: 'Move to trash',
    deleteQuestion: (name: string) => `Move “${name}” to the trash? It can be restored from there.`,
    deleted: (name: string) => `“${name}” is in the trash.`,
    whose: 'Owner',
    all: 'All',
    everybodys: 'Everyone',
    mine: 'Mine',
    toEdit: 'Shared to edit',
    toView: 'Shared to view',
    mayEdit: 'Can edit',
    search: 'Search names and descriptions',
    type: 'Filter by type',
    tags: 'Filter by tags',
    none: 'No graphs yet',
    noneYet: 'Drop a file anywhere on this page: GraphML, GEXF, GML, DOT, CSV, JSON and more.',
    noMatch: 'No graphs match.'
  },

  samples: {
    title: 'Or begin with a sample',
    open: 'Create and open',
    create: (name: string) => `Create and open ${name}`,
    graphs: {
      lesMiserables: {
        name: 'Les Misérables',
        type: 'co-occurrence',
        description:
          'Who appears with whom in the novel by Victor Hugo: 77 characters, 254 pairs. Compiled by Donald E. Knuth, The Stanford GraphBase, 1993.'
      },
      karateClub: {
        name: 'Karate club',
        type: 'social',
        description:
          'Friends in a karate club that split in two: 34 members, 78 ties. Observed by Wayne W. Zachary, An Information Flow Model for Conflict and Fission in Small Groups, 1977.'
      },
      florentineFamilies: {
        name: 'Florentine families',
        type: 'social',
        description:
          'Marriages between 15 families of Florence in the 15th century: 20 ties. From John F. Padgett and Christopher K. Ansell, Robust Action and the Rise of the Medici, 1993.'
      }
    }
  },

  conflict: {
    title: 'Somebody else has changed this graph meanwhile. Nothing is saved yet.',
    choose: 'Choose for each field, then save again.',
    apart: 'Your changes are in other fields. Save again to keep both.',
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
    addEdge: 'Add edge',
    connect: 'Connect to',
    removeNode: 'Remove node and its edges',
    removeEdge: 'Remove edge',
    apply: 'Apply',
    idHint: 'Edges and other programs name the node by its id. It stays as it is.',
    idTaken: 'Another node has this id.',
    attributeName: 'Name of the attribute',
    typeOf: (name: string) => `Type of ${name || 'the attribute'}`,
    valueOf: (name: string) => `Value of ${name || 'the attribute'}`,
    noValue: 'No value',
    addAttribute: 'Add attribute',
    moreAttributes: (left: string) => `Show more of ${left} others`,
    removeAttribute: (name: string) => `Remove ${name || 'the attribute'}`,
    kinds: { text: 'Text', number: 'Number', boolean: 'Yes or no', json: 'JSON' },
    faults: {
      empty: 'It needs a name.',
      twice: 'Another attribute has this name.',
      number: 'Not a number.',
      boolean: 'Choose true or false.',
      json: 'Enter valid JSON.'
    },
    redo: 'Redo',
    size: (count: number) => (count === 0 ? 'Nothing changed' : `${plural(count, 'change', 'changes')} not saved`),
    end: 'End editing',
    discard: 'Discard changes',
    discardQuestion: (count: number) => `Discard ${plural(count, 'change', 'changes')}? They cannot be brought back.`,
    save: 'Save changes',
    saveHint: (count: number) =>
      `${plural(count, 'change', 'changes')} make one new version. The history keeps the old one.`,
    message: 'What did you change?',
    saved: (name: string) => `The changes to “${name}” are saved.`,
    draftWaits: 'Your unsaved changes cannot be loaded at the moment. Load the page again to go on with them.',
    draftWithoutVersion:
      'The version that your unsaved changes were made to is gone. They are applied to the current one: check them before you save.',
    chooseSides: 'You both have changed these. Choose for each, then save again. All other changes are kept.',
    sides: { theirs: 'Theirs', yours: 'Yours' },
    removed: '(removed)',
    merge: 'Merge'
  },

  paste: {
    open: 'Paste table…',
    title: 'Paste a table',
    table: 'Table',
    hint: 'Rows from a spreadsheet or CSV, with the names of columns in the first row. Rows that name a node or an edge change it, the others add one. Empty cells change nothing.',
    tableFaults: {
      characters: 'This table has more than 2,000,000 characters. Import it as a file.',
      rows: 'This table has more than 20,000 rows. Import it as a file.',
      columns: 'This table has more than 200 columns. Import it as a file.',
      quotes: 'A quote in this table is never closed, or is not doubled within a cell.',
      empty: 'A table has a row with the names of columns, and others below.'
    },
    columns: 'Columns of the table',
    cells: 'First cells',
    role: 'Becomes',
    roleOf: (name: string) => `${name || 'The column'} becomes`,
    roles: {
      id: 'Id',
      source: 'Source of an edge',
      target: 'Target of an edge',
      label: 'Label',
      relation: 'Relation',
      direction: 'Directed or undirected',
      x: 'Position x',
      y: 'Position y',
      z: 'Position z',
      attribute: 'Attribute',
      none: 'Nothing'
    },
    missingColumns: 'Nodes need one column of ids. Edges need one column of sources and one of targets.',
    doubleColumns: (one: string, other: string) =>
      `The columns “${one}” and “${other}” become the same attribute. Let one of them become nothing.`,
    counts: {
      nodes: (added: string, changed: string, same: string) =>
        `Nodes: ${added} new, ${changed} changed, ${same} unchanged`,
      edges: (added: string, changed: string, same: string) =>
        `Edges: ${added} new, ${changed} changed, ${same} unchanged`
    },
    faults: (count: number) => `${plural(count, 'row', 'rows')} cannot be applied`,
    row: (number: number) => `Row ${numbers.format(number)}`,
    rowFaults: {
      id: () => 'has no id.',
      ends: () => 'has no source or no target.',
      twice: () => 'has the id of a row before it.',
      cells: () => 'has more cells than there are columns.',
      direction: () => 'is neither directed nor undirected.',
      number: () => 'has a position that is not a number.',
      length: () => 'has an id, a relation or a label that is too long.',
      type: (column: string) =>
        `has a cell in the column “${column}” of another type than the values there, such as a text among numbers.`
    }
  },

  tags: {
    show: (tag: string) => `Show graphs tagged ${tag}`,
    count: (count: number) => plural(count, 'graph', 'graphs')
  },

  sharing: {
    open: 'Share…',
    title: (name: string) => `Share “${name}”`,
    kind: 'Share with',
    kinds: { USER: 'Person', GROUP: 'Group' },
    names: { USER: 'Login', GROUP: 'Group name' },
    right: 'Right',
    rights: { READ: 'Can view', WRITE: 'Can edit' },
    rightOf: (name: string) => `Right of ${name}`,
    add: 'Share',
    added: (name: string, right: string) => `${name}: ${right}`,
    remove: (name: string) => `Remove ${name}`,
    access: 'People and groups with access',
    everybody: 'Everybody who is signed in can view',
    everybodyHint: 'Without this, only the people and groups above have access.',
    administrators: 'Administrators have access to every graph.',
    handOver: 'Hand over…',
    handOverTitle: (name: string) => `Hand over “${name}”`,
    handOverHint: 'The new owner decides who has access, and can delete the graph.',
    handOverOwnHint:
      'The new owner decides who has access, and can delete the graph. You keep only what sharing gives you, and cannot take the graph back yourself.',
    handOverSubmit: 'Hand over',
    newOwner: 'Login of the new owner',
    handedOver: (name: string, owner: string) => `“${name}” belongs to ${owner} now.`,
    people: 'People'
  },

  links: {
    tab: 'Link',
    embed: 'Embed',
    title: 'Links',
    hint: 'Whoever has the address of a link sees the graph without an account, and can copy its data. Nobody can change anything by it.',
    none: 'There are no links to this graph.',
    create: 'New link',
    unnamed: 'Link without a name',
    latest: 'Always the latest version',
    until: (time: string, isOver: boolean) => (isOver ? `Expired ${time}` : `Until ${time}`),
    hasPassword: 'With a password',
    hasDownloads: 'With downloads',
    framedBy: (origins: string) => `In pages of ${origins}`,
    opened: (count: number) =>
      count === 0 ? 'Never opened' : `Opened ${plural(count, 'time', 'times')}, the last time`,
    copyOne: (name: string | undefined) => `Copy the address of ${name ?? 'a link without a name'}`,
    change: 'Change…',
    changeOne: (name: string | undefined) => `Change ${name ?? 'a link without a name'}`,
    revoke: 'Revoke',
    revokeOne: (name: string | undefined) => `Revoke ${name ?? 'a link without a name'}`,
    revokeQuestion: 'Whoever has the address sees nothing from now on. A revoked link does not come back.',
    name: 'Name',
    nameHint: 'What the link is for. Visitors do not see it.',
    shownVersion: 'Version',
    shownVersionHint: (latest: number) =>
      `Empty: visitors see each change. Otherwise they see this version, up to ${latest}, which is kept for them.`,
    lastDay: 'Last day',
    lastDayHint: 'Empty: the link does not expire.',
    passwordHint: 'Visitors are asked for it; at least 8 characters. Empty: none.',
    passwordKept: 'Empty: the password stays.',
    withoutPassword: 'Take the password away',
    origins: 'Pages that may show it',
    originsHint: 'The origins of pages that may have the graph in a frame, one in a line. Empty: no page may.',
    originsExample: 'https://wiki.example.org',
    downloads: 'Visitors may download files',
    downloadsHint: 'Without this they still can copy the data, since they see it.',
    picture: 'Chats and wikis may show a picture of it',
    pictureHint:
      'Everybody who has the address then sees the picture, even without the secret part after #. Programs may keep it when the link is revoked.',
    pictureNone: 'Not with a password: the picture would show the graph to people who lack it.',
    hasPicture: 'With a picture for chats and wikis',
    noneFramed: 'No page may show this graph as yet. Make a link with the origins of your pages first.',
    html: 'HTML for your page',
    copyHtml: 'Copy the HTML',
    preview: 'Preview',
    previewOf: (name: string) => `Preview of ${name}`
  },

  import: {
    open: 'Import',
    title: 'Import graphs',
    choose: 'Drop files here, or choose files',
    hint: 'GraphML, GEXF, GML, DOT, Pajek, CX, XGMML, CSV, TSV, and several kinds of JSON; also packed by gzip, zstd or zip.',
    drop: 'Drop the files to import them',
    submit: (count: number) => `Import ${plural(count, 'graph', 'graphs')}`,
    progress: (file: string) => `Uploading ${file}`,
    remove: (file: string) => `Remove ${file}`,
    done: 'Imported',
    show: (name: string) => `Open ${name}`,
    format: 'Format',
    detect: 'Detect automatically',
    faults: (count: number) => `This file cannot be imported: ${plural(count, 'fault', 'faults')}`,
    losses: 'Changed or lost by the import',
    noLosses: 'Nothing is lost.',
    join: (nodes: string, edges: string) => `One graph from ${nodes} and ${edges}`,
    joinHint: 'The first has nodes, the second has edges.'
  },

  columns: {
    rows: 'Rows',
    areEdges: 'Rows are edges',
    areNodes: 'Rows are nodes',
    source: 'Edges begin in column',
    target: 'Edges end in column',
    id: 'Ids of nodes in column',
    choose: 'Choose a column',
    again: (name: string, number: number) => `${name} (column ${number})`,
    endsBecause: {
      choice: 'You chose these columns.',
      names: 'These columns were chosen by their names.',
      content: 'These columns were chosen because they share values. Please check them.',
      order: 'These columns were chosen because they come first. Please check them.'
    },
    idBecause: {
      choice: 'You chose this column.',
      names: 'This is a table of nodes: the column was chosen by its name.',
      content: 'This column was chosen by its values. Please check it.',
      order: 'This column was chosen because it comes first. Please check it.'
    },
    noEnds: 'No columns plainly hold the ends of edges. Please choose them.',
    noId: 'Please choose the column with the ids of nodes.',
    matrix: 'This is an adjacency matrix.'
  },

  trash: {
    trashedAt: 'Deleted',
    expiresAt: 'Deleted permanently',
    restore: 'Restore',
    restoreName: (name: string) => `Restore ${name}`,
    purge: 'Delete permanently',
    purgeName: (name: string) => `Delete permanently: ${name}`,
    purgeQuestion: (name: string) => `Delete “${name}” permanently, with all its versions? This cannot be undone.`,
    none: 'The trash is empty',
    hint: 'Deleted graphs stay here for a while before they are deleted permanently.'
  },

  attributes: {
    id: 'Id',
    label: 'Label',
    source: 'Source',
    target: 'Target',
    relation: 'Relation',
    degree: 'Degree',
    inDegree: 'In-degree',
    outDegree: 'Out-degree',
    leftOut: (count: number) =>
      `There are too many attributes: ${numbers.format(count)} rare ones are not offered, in tables neither. Details and downloads have them.`
  },

  search: { label: 'Find a node' },

  summary: {
    title: 'Summary',
    hint: 'This graph is too large to draw at once. Find a node to see what is near it.',
    tables: 'Show everything as tables',
    loading: 'Looking through the graph…',
    components: 'Connected parts',
    largest: (count: string, largest: string) => `${count}; the largest has ${largest} nodes`,
    degrees: ({ min, median, mean, p90, max }: Record<'min' | 'median' | 'mean' | 'p90' | 'max', number>) =>
      `${numbers.format(min)} to ${numbers.format(max)}; median ${numbers.format(median)}, mean ${numbers.format(mean)}, 90 % have at most ${numbers.format(p90)}`,
    nodes: 'Attributes of nodes',
    edges: 'Attributes of edges',
    attribute: 'Attribute',
    count: 'Elements with it',
    value: (value: string, count: string) => `${value} (${count})`,
    types: {
      string: 'many texts',
      number: 'many numbers',
      boolean: 'yes or no',
      object: 'objects',
      array: 'lists',
      null: 'nothing',
      mixed: 'values of several types'
    }
  },

  part: {
    loading: 'Loading what is near…',
    grow: 'Show its neighbours',
    left: (nodes: string, edges: string) => `${nodes} more nodes and ${edges} more edges are near. They are not shown.`,
    more: 'Show more',
    back: 'Show a part as a drawing',
    degree: 'Degree in this part'
  },

  finder: {
    label: 'Search graphs and nodes',
    placeholder: 'Search graphs and nodes ( / )',
    searching: 'Searching',
    results: 'Found',
    edge: (number: number) => `Edge ${number}`,
    more: 'Show more graphs',
    tooShort: 'Type a letter or a digit.',
    nothing: 'Nothing is found.'
  },

  layout: {
    start: 'Lay out',
    stop: 'Stop layout',
    save: 'Save layout',
    failed: 'The layout has stopped because of an error. Load the page again to start it.',
    message: 'Layout',
    undo: 'Undo layout',
    options: 'Layout options',
    name: 'Layout',
    names: {
      force: 'By forces',
      circular: 'Circle',
      grid: 'Grid',
      layered: 'Layers',
      coordinates: 'By two attributes',
      map: 'Map'
    },
    hints: {
      force: 'Edges draw nodes together, and nodes push others away (ForceAtlas2). Stop it when you like it.',
      circular: 'The nodes go clockwise from the top, in the order of an attribute.',
      grid: 'The nodes go in rows from the top, in the order of an attribute.',
      layered: 'Edges lead from one layer to the next, as in a hierarchy. Some lead back where edges form circles.',
      coordinates: 'Two numbers of each node are its place. Nodes without them lie below.',
      map: 'Degrees of each node are its place, with north at the top. Nodes without them lie below.'
    },
    order: 'Order',
    fileOrder: 'As in the file',
    gravity: 'Gravity',
    linLog: 'Closer communities (LinLog)',
    direction: 'Direction',
    directions: { down: 'From the top to the bottom', right: 'From the left to the right' },
    x: 'From the left to the right',
    y: 'From the bottom to the top',
    longitude: 'Longitude',
    latitude: 'Latitude',
    projection: 'Projection',
    projections: { equirectangular: 'Equirectangular', mercator: 'Mercator' },
    noNumbers: 'The nodes have no attribute that is a number everywhere.',
    remarks: {
      reversed: (count: string) => `Edges form circles: ${count} of them lead against the direction.`,
      unplaced: (count: string) => `Nodes without a place: ${count}. They lie below the others.`
    },
    refusals: {
      tooLarge: 'The graph is too large for layers, or its edges cross too many of them. Try another layout.',
      noValues: 'No node has a place by these attributes.'
    }
  },

  paths: {
    title: 'Shortest path',
    close: 'Close the path',
    from: 'From',
    to: 'To',
    fromHere: 'Path from here',
    toHere: 'Path to here',
    length: 'Length of edges',
    one: 'Each counts as 1',
    eitherWay: 'Ignore directions',
    nodes: 'Nodes of the path',
    open: 'Choose two nodes.',
    none: 'No path leads there.',
    noLengths: 'The edges have no such number any more. Choose another length.',
    unfiltered: 'Filters do not count here: a path may lead through hidden nodes.',
    negative: (count: string) =>
      `Lengths below 0 have no shortest paths: ${count} edges have such a number. Choose another attribute.`,
    found: (edges: number, shown: string) => (edges === 1 ? '1 edge.' : `${shown} edges.`),
    foundLength: (edges: string, length: string) => `${edges} Length: ${length}.`,
    missing: (count: string) => `Edges without a number are left out: ${count}.`
  },

  pins: {
    pin: 'Pin',
    unpin: 'Unpin',
    hint: 'Layouts leave a pinned node where it is (P).',
    unpinAll: (count: string) => `Unpin all (${count})`,
    pinned: (node: string) => `${node}, pinned`
  },

  look: {
    title: 'Appearance',
    colour: 'Colour nodes by',
    size: 'Size nodes by',
    label: 'Label nodes by',
    edgeColour: 'Colour edges by',
    edgeSize: 'Size edges by',
    withFilters: (count: number) => (count === 0 ? 'Appearance and filters' : `Appearance and filters (${count})`),
    none: 'Nothing',
    computed: 'Computed'
  },

  filter: {
    title: 'Filters',
    open: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
    shown: (nodes: string, allNodes: string, edges: string, allEdges: string) =>
      `${nodes} of ${allNodes} nodes, ${edges} of ${allEdges} edges`,
    nothingShown: 'No node passes all filters.',
    add: 'Add a filter',
    choose: 'By an attribute, a text …',
    clear: 'Remove all',
    remove: (title: string) => `Remove the filter ${title}`,
    other: 'Other',
    values: (title: string) => `Values of ${title}`,
    shownValues: (shown: string, all: string) => `${shown} of ${all} values shown`,
    searchValues: 'Search values',
    showValues: 'All values',
    hideValues: 'No values',
    moreValues: (count: string) => `${count} more. Search to find them.`,
    withoutValue: '(without a value)',
    noValue: 'No value matches.',
    between: (from: string, to: string) => `From ${from} to ${to}`,
    from: (title: string) => `Minimum ${title}`,
    to: (title: string) => `Maximum ${title}`,
    histogram: (title: string) => `Histogram of ${title}`,
    oneNumber: (value: string) => `All numbers are ${value}.`,
    noNumber: 'There are no numbers.',
    withoutShown: (count: string) => `${count} without a number. A narrower range hides them.`,
    withoutHidden: (count: string) => `${count} without a number are hidden.`,
    edgesHint: 'Hides edges. Nodes stay, even without edges.',
    noNode: (key: string) => `No node has the attribute ${key}.`,
    noEdge: (key: string) => `No edge has the attribute ${key}.`,
    text: 'Text',
    textHint: 'In the id, the label or an attribute of a node.',
    around: 'Neighbourhood',
    showAround: 'Show only its neighbourhood',
    aroundNode: (label: string) => `Around ${label}`,
    aroundOther: 'Around another node',
    noSuchNode: (id: string) => `There is no node ${id}.`,
    depth: 'Depth',
    depthHint: 'In edges of the whole graph, in either direction.',
    newGraph: 'New graph from what is shown',
    newGraphInMenu: 'New graph from what is shown…',
    partOf: (name: string) => `${name} (part)`
  },

  measures: {
    title: 'Measures',
    hint: 'Of the nodes and edges that are loaded. They are computed in this window, and colour, size and filter nodes like attributes. “Store” adds them to the nodes, as an edit.',
    names: {
      community: 'Community',
      component: 'Component',
      pageRank: 'PageRank',
      betweenness: 'Betweenness',
      closeness: 'Closeness',
      core: 'Core number',
      clustering: 'Clustering coefficient',
      weightedDegree: 'Weighted degree'
    },
    hints: {
      community: 'Groups with many edges within',
      component: 'Parts without edges between',
      pageRank: 'Importance by incoming edges',
      betweenness: 'Share of shortest paths',
      closeness: 'Nearness to all nodes',
      core: 'Greatest k of its k-cores',
      clustering: 'Share of linked neighbours',
      weightedDegree: 'Sum of weights of edges'
    },
    compute: 'Compute',
    computeOf: (name: string) => `Compute ${name}`,
    computing: (name: string) => `Computing ${name}…`,
    stop: 'Stop',
    stopOf: (name: string) => `Stop computing ${name}`,
    colour: 'Colour',
    colourBy: (name: string) => `Colour nodes by ${name}`,
    size: 'Size',
    sizeBy: (name: string) => `Size nodes by ${name}`,
    store: 'Store',
    storeOf: (name: string) => `Store ${name} as an attribute`,
    stored: (name: string) => `${name} is an attribute of the nodes now. Save the edit to keep it.`,
    failed: (name: string) => `${name} was not computed because of an error.`
  },

  legend: {
    blank: '(blank)',
    count: (count: string) => `(${count})`,
    shown: (shown: string, count: string) => `(${shown} of ${count})`,
    title: 'Legend',
    edges: (title: string) => `Edges: ${title}`,
    size: (title: string, least: string, greatest: string) => `Size: ${title}, ${least} to ${greatest}`,
    edgeSize: (title: string, least: string, greatest: string) => `Edge size: ${title}, ${least} to ${greatest}`,
    others: (count: string) => `${count} more`,
    range: (least: string, greatest: string) => `${least} to ${greatest}`,
    only: 'Only',
    showOnly: (value: string) => `Show only ${value}`,
    all: 'All',
    showAll: (title: string) => `Show all values of ${title}`
  },

  drawing: {
    label: (name: string, counts: string) =>
      `Drawing of ${name}: ${counts}. The arrow keys go from node to node, Enter shows the details of a node, Escape closes them. The arrow keys with Shift move the drawing, plus and minus zoom, 0 shows everything. The tables list the same nodes and edges.`,
    node: (label: string, degree: string) => `${label}, degree ${degree}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all',
    tooLarge: (limit: string) => `This graph has more than ${limit} nodes and edges. That is too many to draw.`,
    noWebGl: 'This browser cannot draw graphs because it does not support WebGL.',
    asTable: 'Show as a table'
  },

  details: {
    title: 'Details',
    close: 'Close details',
    values: 'Values',
    metadata: 'Metadata',
    measures: 'Measures (computed)',
    edges: (count: string) => `Edges (${count})`,
    more: (count: string) => `${count} more`,
    directed: 'Directed edge',
    undirected: 'Undirected edge'
  },

  table: {
    search: 'Search this table',
    computed: 'computed',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    nodes: (name: string) => `Nodes of ${name}`,
    edges: (name: string) => `Edges of ${name}`,
    keys: 'The arrow keys go from cell to cell. Enter, F2 or typing edits a cell; Enter and Tab take the value, Escape does not. Enter on a cell that cannot be edited shows its node or edge. The space bar selects the row, with Shift all rows from the last one on; Control and A select all rows, Escape none.',
    keptValue: (written: string, fault: string) => `“${written}” was not taken. ${fault}`,
    selection: 'Selected rows',
    selectRow: (number: string) => `Select row ${number}`,
    selectAll: 'Select all rows',
    selected: (count: string) => `${count} selected`,
    setValue: 'Set value…',
    setValueOf: (count: number) => `Set a value of ${plural(count, 'row', 'rows')}`,
    setValueSubmit: 'Set',
    remove: 'Remove',
    column: 'Column',
    newAttribute: 'New attribute',
    emptyRemoves: 'An empty value removes the present ones. All rows change in one step, which can be undone.'
  },

  views: {
    title: 'Views',
    open: 'Saved views',
    begin: 'Save this view…',
    save: 'Save view',
    hint: 'The colours, sizes, filters and the part that is shown. Everybody who sees the graph sees its views.',
    name: 'Name',
    replaces: (author: string) =>
      author ? `This replaces the view that ${author} has saved.` : 'This replaces the view with this name.',
    saved: (name: string) => `The view “${name}” has been saved.`,
    remove: 'Remove a view',
    removed: (name: string) => `The view “${name}” has been removed.`
  },

  link: { title: 'Copy link to this view', copied: 'The link has been copied.' },

  download: {
    title: 'Download',
    picture: 'Picture of the current view',
    png: (scale: number) => (scale === 1 ? 'PNG' : `PNG, ${scale} × resolution`),
    withLegend: 'With legend',
    withTitle: 'With title',
    svg: 'SVG',
    file: 'Graph file',
    losses: 'This format cannot store everything',
    /** By the codes of the API, which has these texts in its import reports. */
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
    restoreHint: 'Graphstead creates a new version with this state. No version is lost.',
    message: 'Message (optional)'
  },

  diff: {
    drawing: 'Drawing of both versions. Colours mark the changes. The list names the same changes.',
    nothing: 'Nothing differs.',
    reordered: 'Only the order of nodes and edges differs.',
    truncated: 'This list shows only the first 10,000 differences of each kind.',
    fields: 'Fields of the graph',
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
    clear: (what: string) => `Any ${what}`,
    none: 'No events match.',
    activity: 'Events by day',
    chart: (total: number, most: number) =>
      `${plural(total, 'event', 'events')}; at most ${numbers.format(most)} a day`,
    day: (day: string, count: number) => `${day}: ${plural(count, 'event', 'events')}`,
    event: (id: number) => `Event ${id}`,
    time: 'Time',
    exactTime: 'Time in UTC',
    principal: 'User',
    type: 'Event',
    outcome: 'Outcome',
    target: 'Target',
    targetType: 'Target type',
    targetId: 'Target id',
    ip: 'IP address',
    route: 'Request',
    userAgent: 'Client',
    token: 'Token',
    tokenOf: (name: string, id: number) => `${name} (${id})`,
    request: 'Request id',
    data: 'Changes',
    noData: 'This event has no further data.',
    erased: 'erased',
    erasedHint: 'Personal data of this event was erased. Its proof still holds.',
    export: {
      title: 'Export',
      content: (total: number) =>
        `${plural(total, 'event', 'events')} of the period, by the filters that are set. Those of the last two seconds may be missing. The trail records the export.`,
      formats: {
        jsonl: {
          name: 'JSONL',
          hint: 'For proofs: a line for each event, with its place and exact entry in the audit log.'
        },
        csv: { name: 'CSV', hint: 'For spreadsheets: a row for each event, with its place in the audit log.' }
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
      SECOND_FACTOR_ENABLED: 'Second factor set up',
      SECOND_FACTOR_DISABLED: 'Second factor taken away',
      RECOVERY_CODE_USED: 'Recovery code used',
      RECOVERY_CODES_RENEWED: 'Recovery codes renewed',
      USER_CREATED: 'User created',
      USER_UPDATED: 'User changed',
      USER_DELETED: 'User deleted',
      USER_LINKED: 'Account linked',
      USER_UNLINKED: 'Account unlinked',
      TOKEN_CREATED: 'Token created',
      TOKEN_REVOKED: 'Token revoked',
      GRAPH_CREATED: 'Graph created',
      GRAPH_UPDATED: 'Graph changed',
      GRAPH_SHARED: 'Graph shared',
      GRAPH_UNSHARED: 'Graph no longer shared',
      GRAPH_ACCESS_GRANTED: 'Access to graph granted',
      GRAPH_ACCESS_REVOKED: 'Access to graph taken away',
      GRAPH_VIEW_SAVED: 'View of graph saved',
      GRAPH_VIEW_REMOVED: 'View of graph removed',
      GRAPH_TRANSFERRED: 'Graph handed over',
      LINK_CREATED: 'Link to graph created',
      LINK_UPDATED: 'Link to graph changed',
      LINK_REVOKED: 'Link to graph revoked',
      LINK_OPENED: 'Link to graph opened',
      GRAPH_RESTORED: 'Graph restored',
      GRAPH_TRASHED: 'Graph moved to trash',
      GRAPH_PURGED: 'Graph deleted permanently',
      GRAPH_DELETED: 'Graph deleted',
      GROUP_CREATED: 'Group created',
      GROUP_UPDATED: 'Group changed',
      GROUP_DELETED: 'Group deleted',
      SERVER_STARTED: 'Server started',
      SERVER_STOPPED: 'Server stopped',
      STORE_RESTORED: 'Store restored',
      AUDIT_EPOCH_STARTED: 'Audit log under a new origin',
      AUDIT_EXPORTED: 'Audit events exported',
      AUDIT_ERASED: 'Personal data erased from the trail',
      AUDIT_PRUNED: 'Old audit events removed'
    }
  },

  proof: {
    title: 'Proof',
    looking: 'Looking for the proof…',
    proved: (size: number) => `Proved by the checkpoint of ${plural(size, 'event', 'events')}`,
    soon: 'Not in the audit log yet: within two seconds',
    late: 'Not in the audit log yet. This takes longer than usual; the log of the server may say why.',
    place: (index: number, hashes: number, time: string) =>
      `Leaf ${numbers.format(index)} of the log. ${plural(hashes, 'hash leads', 'hashes lead')} from there to the root. Looked at ${time}.`,
    text: 'Text of the proof',
    copy: 'Copy the proof',
    download: 'Download the proof'
  },

  checkpoint: {
    title: 'Checkpoints',
    back: 'Back to audits',
    last: 'Last checkpoint',
    lastOf: (size: number) => `Last checkpoint: ${plural(size, 'event', 'events')}`,
    line: (root: string, time: string) => `Root ${root}…, looked at ${time}`,
    origin: (origin: string) => `Origin ${origin}`,
    looking: 'Looking for the last checkpoint…',
    none: 'There is no checkpoint yet. The server is asked again in a moment.',
    copy: 'Copy the checkpoint',
    download: 'Download the checkpoint',
    why: 'Why keep one?',
    /** Exactly five: a test counts them. */
    sentences: [
      'A checkpoint is a short text: a fingerprint of all audit events up to its moment, signed by this server.',
      'The owner of this machine could change old events, but never so that they fit a checkpoint that is kept elsewhere.',
      'Keep one now and then where the administrators of this server cannot change it: with your auditor, by mail, or in a repository of another team.',
      'From then on anybody can check, with this program or others, that no event before it was changed, removed, moved or slipped in.',
      'It holds no personal data, stays valid when somebody’s data is erased or old events are removed, and says nothing about later events.'
    ],
    details: (size: number, time: string) => `Of ${plural(size, 'event', 'events')}, looked at ${time}.`,
    key: 'Verifier key',
    keyHint: 'It tells the signature of this server from others. Keep it with the first checkpoint.',
    copyKey: 'Copy the verifier key',
    command: 'Check a kept checkpoint',
    commandHint:
      'Run this on another machine, beside the kept file. The variable GRAPHSTEAD_TOKEN there has a token that may read audit events.',
    copyCommand: 'Copy the command line',
    manual: 'docs/audit.md, which comes with the program, says how to verify without it, and who could still cheat.',
    docs: 'The requests are in the documentation of the API.'
  },

  users: {
    login: 'Login',
    loginHint: 'Lower-case letters, digits and . _ @ -',
    role: 'Role',
    create: 'New user',
    you: 'You',
    disabled: 'Disabled',
    disable: 'Disable',
    enable: 'Enable',
    changeRole: 'Change role',
    resetPassword: 'Reset password',
    kind: 'Kind',
    kinds: { PERSON: 'Person', SERVICE: 'Service' },
    kindHints: {
      PERSON: 'Signs in with a password.',
      SERVICE: 'Has no password: its programs use tokens that administrators make.'
    },
    linked: 'linked',
    noPassword: 'No password',
    service: 'Service',
    deleteQuestion: (login: string) => `Delete ${login}? The audit events of this user stay.`,
    ownPassword: 'Your password',
    enableUser: (login: string) => `Enable ${login}`,
    enableHint: (role: string) => `The user can sign in again, with the role ${role}.`,
    roleOf: (login: string) => `Role of ${login}`,
    passwordOf: (login: string) => `New password for ${login}`,
    firstPasswordHint: 'Tell the user this password yourself. The user chooses a new one at the first sign-in.',
    passwordHint:
      'All sessions of this user end. Tell the user the new password yourself. The user chooses another one at the next sign-in.'
  },

  tokens: {
    title: 'Tokens',
    hint: 'A program sends a token in place of a password. It may do what you may, within the rights that you choose.',
    of: (login: string) => `Tokens of ${login}`,
    open: 'Tokens…',
    none: 'No tokens yet.',
    create: 'New token',
    name: 'Name',
    nameHint: 'Tells later what the token is for, such as “nightly import”.',
    rights: 'Rights',
    rightsHint: 'Changing includes reading. Choose no more than the program needs.',
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
    revokeQuestion: (name: string) => `Revoke “${name}”? Programs that use it are refused at once.`,
    created: 'Token created',
    createdHint: 'Copy the token now. Nobody can see it again.',
    token: 'Token'
  },

  groups: {
    name: 'Name',
    description: 'Description',
    create: 'New group',
    members: 'Members',
    membersOf: (name: string) => `Members of ${name}`,
    add: 'Add',
    added: (login: string) => `${login} is a member now.`,
    counts: (members: number, graphs: number) =>
      `${plural(members, 'member', 'members')}; ${plural(graphs, 'graph is', 'graphs are')} shared with the group`,
    more: (count: string) => `${count} more. Type to find them.`,
    deleteQuestion: (name: string, members: number, graphs: number) =>
      `Delete ${name}? ${plural(members, 'member loses', 'members lose')} what was shared with the group: ${plural(graphs, 'graph', 'graphs')}. Graphs and users stay. This cannot be undone.`,
    none: 'No groups yet',
    hint: 'A group gathers users, so that owners can share a graph with all of them at once.'
  }
}
