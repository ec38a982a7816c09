import { losses } from '../../../src/formats/losses.ts'

const numbers = new Intl.NumberFormat('en')
const plural = (count: number, one: string, many: string) => `${numbers.format(count)} ${count === 1 ? one : many}`

/** Everything that the app says, in English. */
export const en = {
  name: 'Graphstead',
  loading: 'Loading…',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  actions: 'Actions',
  skipToContent: 'Skip to content',
  nothingHere: 'There is nothing at this address.',
  counts: (nodes: number, edges: number) => `${plural(nodes, 'node', 'nodes')}, ${plural(edges, 'edge', 'edges')}`,
  passwordHint: 'At least 12 characters, and not a common one.',
  roles: { USER: 'User', AUDITOR: 'Auditor', ADMIN: 'Administrator' },
  roleHints: {
    USER: 'Has graphs, and reads those that are shared.',
    AUDITOR: 'Has graphs, and reads audit events.',
    ADMIN: 'May do everything.'
  },

  nav: {
    label: 'Main',
    menu: 'Menu',
    graphs: 'Graphs',
    trash: 'Trash',
    audits: 'Audits',
    users: 'Users',
    scheme: 'Light or dark',
    light: 'Light',
    dark: 'Dark',
    system: 'As the system',
    account: (login: string) => `Account of ${login}`,
    signedInAs: (login: string, role: string) => `Signed in as ${login} (${role})`,
    signOut: 'Sign out'
  },

  signIn: {
    title: 'Sign in',
    welcome: 'Graphs, shared and kept with their history.',
    username: 'Username',
    password: 'Password',
    showPassword: 'Show the password',
    rememberMe: 'Keep me signed in for 30 days',
    submit: 'Sign in'
  },

  account: {
    title: 'My account',
    since: (time: string) => `Since ${time}`,
    password: 'Password',
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change the password',
    passwordChanged: 'The password is changed. Every other session has ended.',
    sessions: 'Sessions',
    sessionsHint: 'Ends every session and every token of this account, on every device.',
    signOutEverywhere: 'Sign out everywhere'
  },

  failure: {
    unreachable: 'The server cannot be reached.',
    unexpected: 'Something unexpected happened.',
    retry: 'Try again',
    requestId: (id: string) => `Request ${id}`,
    line: (line: number, column: number) => `Line ${line}, column ${column}`,
    /** By the codes of the API; what is not here is told in the words of the service. */
    problems: {
      'credentials-incorrect': 'The username or the password is not right.',
      'password-incorrect': 'The current password is not right.',
      'password-refused': 'The new password is not good enough.',
      'too-many-attempts': 'There were too many attempts. Wait a moment.',
      'token-missing': 'The session has ended. Sign in again.',
      'token-invalid': 'The session has ended. Sign in again.',
      forbidden: 'You may see this, but not do it.',
      'graph-not-found': 'There is no such graph, or it is not shared with you.',
      'version-conflict': 'Somebody has changed the graph meanwhile. Load it again to see what is new.',
      'login-taken': 'There is already a user with this login.',
      'last-administrator': 'The last administrator has to stay.',
      'user-owns-graphs': 'The user still owns graphs: delete them first, or disable the user instead.',
      'body-too-large': 'The file is too large for this server.',
      'file-too-complex': 'The file takes more time or memory than this server gives it.',
      'graph-too-complex': 'This takes more time or memory than the server gives it. Try another format.',
      'format-unknown': 'The file is in no format that is known here.',
      'server-busy': 'The server has too much to do. Try again in a moment.',
      'store-unavailable': 'The store cannot serve at the moment. Nothing was changed.'
    }
  },

  offline: {
    title: 'There is no connection to the server',
    detail: 'What is shown may be out of date. It goes on by itself once the server is back.'
  },

  list: {
    range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
    size: 'How many a page',
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
    name: 'Name',
    type: 'Type',
    typeHint: 'What kind of graph it is, in words of your own.',
    description: 'Description',
    shared: 'Shared',
    sharedHint: 'Everybody who signs in may read it; only you and administrators change it.',
    owner: 'Owner',
    by: (owner: string) => `by ${owner}`,
    node: 'Node',
    edge: 'Edge',
    nodes: 'Nodes',
    edges: 'Edges',
    drawing: 'Drawing',
    updatedAt: 'Changed',
    loading: 'Loading the graph…',
    missing: 'There is no such graph, or it is not shared with you.',
    back: 'Back to the graphs',
    views: 'What to show',
    side: 'Look and details',
    empty: 'This graph has no nodes yet.',
    emptyHint: 'Its content comes from a file, or by the API.'
  },

  graphs: {
    create: 'New graph',
    createSubmit: 'Create',
    edit: 'Rename and describe',
    share: 'Share',
    unshare: 'Stop sharing',
    isShared: (name: string) => `“${name}” is shared now.`,
    isPrivate: (name: string) => `“${name}” is private now.`,
    audits: 'What happened to it',
    delete: 'Delete',
    deleteSubmit: 'Move to the trash',
    deleteQuestion: (name: string) => `Move “${name}” to the trash? It can be restored from there.`,
    deleted: (name: string) => `“${name}” is in the trash.`,
    undo: 'Undo',
    menu: (name: string) => `Actions for ${name}`,
    whose: 'Whose graphs',
    all: 'All',
    everybodys: 'Everybody’s',
    mine: 'Mine',
    shared: 'Shared',
    search: 'Search names and descriptions',
    type: 'Filter by type',
    clear: 'Show all',
    none: 'There are no graphs yet',
    noneYet: 'Drop a file anywhere on this page: GraphML, GEXF, GML, DOT, CSV, JSON and more.',
    noMatch: 'No graph matches.'
  },

  import: {
    open: 'Import',
    title: 'Import graphs',
    choose: 'Drop files here, or choose some',
    hint: 'GraphML, GEXF, GML, DOT, Pajek, CX2, CSV, TSV, and JSON of several kinds.',
    drop: 'Drop the files to import them',
    submit: (count: number) => `Import ${plural(count, 'graph', 'graphs')}`,
    progress: (file: string) => `Sending ${file}`,
    remove: (file: string) => `Leave out ${file}`,
    done: 'Imported',
    show: (name: string) => `Show ${name}`,
    format: 'Format',
    detect: 'As the file looks',
    faults: (count: number) => `${plural(count, 'fault', 'faults')}: it cannot be imported`,
    losses: 'Changed or lost on the way in',
    noLosses: 'Nothing is lost.'
  },

  trash: {
    trashedAt: 'Deleted',
    expiresAt: 'Gone for good',
    restore: 'Restore',
    restoreName: (name: string) => `Restore ${name}`,
    purge: 'Delete for good',
    purgeName: (name: string) => `Delete for good: ${name}`,
    purgeQuestion: (name: string) => `Delete “${name}” for good, with all its versions? It cannot be had back.`,
    none: 'The trash is empty',
    hint: 'Graphs that you delete stay here for a while.'
  },

  attributes: {
    id: 'Id',
    label: 'Label',
    source: 'Source',
    target: 'Target',
    relation: 'Relation',
    degree: 'Degree',
    inDegree: 'In-degree',
    outDegree: 'Out-degree'
  },

  search: { label: 'Find a node' },

  layout: {
    start: 'Lay out',
    stop: 'Stop the layout',
    save: 'Save the layout',
    message: 'Layout'
  },

  look: {
    title: 'Look',
    colour: 'Colour nodes by',
    size: 'Size nodes by',
    label: 'Name nodes by',
    ownLabel: 'Label',
    edgeColour: 'Colour edges by',
    edgeSize: 'Size edges by',
    filter: 'Show only nodes by',
    none: 'Nothing',
    values: (title: string) => `Values of ${title}`,
    between: (from: string, to: string) => `From ${from} to ${to}`,
    from: (title: string) => `Least ${title}`,
    to: (title: string) => `Greatest ${title}`,
    clear: 'Show all nodes',
    noAttribute: (key: string) => `No node has ${key}.`
  },

  legend: {
    blank: '(blank)',
    title: 'Legend',
    edges: (title: string) => `Edges: ${title}`,
    size: (title: string, least: string, greatest: string) => `Size: ${title}, ${least} to ${greatest}`,
    edgeSize: (title: string, least: string, greatest: string) => `Edge size: ${title}, ${least} to ${greatest}`,
    others: (count: string) => `${count} more`,
    showOnly: (value: string) => `Show only ${value}`
  },

  drawing: {
    label: (name: string, counts: string) =>
      `Drawing of ${name}: ${counts}. Arrow keys move it, plus and minus zoom, 0 shows all. The tables say the same in words.`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all',
    tooLarge: (limit: string) => `This graph has more than ${limit} nodes and edges, too many to draw.`,
    noWebGl: 'This browser cannot draw graphs: it has no WebGL.',
    asTable: 'Show it as a table'
  },

  details: {
    title: 'Details',
    close: 'Close the details',
    metadata: 'Metadata',
    edges: (count: string) => `Edges (${count})`,
    more: (count: string) => `${count} more`,
    directed: 'Directed edge',
    undirected: 'Undirected edge'
  },

  table: {
    search: 'Search the table',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    nodes: (name: string) => `Nodes of ${name}`,
    edges: (name: string) => `Edges of ${name}`
  },

  link: { title: 'Link to this view', copied: 'The link is copied. It opens this view.' },

  download: {
    title: 'Download',
    picture: 'What is shown',
    png: 'PNG',
    svg: 'SVG',
    file: 'The graph',
    losses: 'The format could not hold everything',
    kinds: losses as Record<string, string>
  },

  history: {
    title: 'History',
    of: (name: string) => `History of ${name}`,
    versions: 'Versions',
    version: 'Version',
    differences: 'What differs',
    from: 'From',
    to: 'To',
    fromVersion: (version: number) => `Compare from version ${version}`,
    toVersion: (version: number) => `Compare to version ${version}`,
    between: (from: number, to: number) => `Version ${from} to version ${to}`,
    all: (to: number) => `All of version ${to}`,
    list: 'List',
    number: (version: number) => `Version ${version}`,
    current: 'Current',
    restoredFrom: (version: number) => `as version ${version}`,
    by: (principal: string, time: string) => `${principal}, ${time}`,
    restore: 'Restore',
    restoreVersion: (version: number) => `Restore version ${version}`,
    restoreHint: 'The graph becomes as it was then, as a new version. Nothing is lost.',
    message: 'Why? (optional)'
  },

  diff: {
    drawing: 'Drawing of both versions, coloured by what has changed. The list says the same in words.',
    nothing: 'Nothing differs.',
    reordered: 'Only the order differs.',
    truncated: 'There are so many differences that only the first 10,000 of each kind are shown.',
    fields: 'Record and content as a whole',
    marks: { added: 'Added', removed: 'Removed', changed: 'Changed', same: 'The same' },
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
    range: 'From and to',
    any: 'Any',
    clear: (what: string) => `Any ${what}`,
    reset: 'Show all',
    none: 'No event matches.',
    activity: 'Events by day',
    chart: (total: number, most: number) =>
      `${plural(total, 'event', 'events')}; at most ${numbers.format(most)} a day`,
    day: (day: string, count: number) => `${day}: ${plural(count, 'event', 'events')}`,
    event: (id: number) => `Event ${id}`,
    time: 'Time',
    exactTime: 'In UTC',
    principal: 'Who',
    type: 'What',
    outcome: 'Outcome',
    target: 'To what',
    targetType: 'Kind of target',
    targetId: 'Target id',
    ip: 'Address',
    route: 'Request',
    userAgent: 'Client',
    request: 'Request id',
    data: 'What changed',
    noData: 'Nothing is recorded besides.',
    version: (name: string, version: number) => `${name}, version ${version}`,
    targetTypes: { GRAPH: 'Graph', USER: 'User' },
    outcomes: { SUCCESS: 'Success', FAILURE: 'Failure', DENIED: 'Denied' },
    types: {
      AUTHENTICATION_SUCCESS: 'Signed in',
      AUTHENTICATION_FAILURE: 'Failed to sign in',
      AUTHORIZATION_FAILURE: 'Was refused',
      PASSWORD_CHANGED: 'Password changed',
      SESSION_ENDED: 'Signed out',
      SESSIONS_ENDED: 'All sessions ended',
      USER_CREATED: 'User created',
      USER_UPDATED: 'User changed',
      USER_DELETED: 'User deleted',
      GRAPH_CREATED: 'Graph created',
      GRAPH_UPDATED: 'Graph changed',
      GRAPH_SHARED: 'Graph shared',
      GRAPH_UNSHARED: 'Graph no longer shared',
      GRAPH_RESTORED: 'Graph restored',
      GRAPH_TRASHED: 'Graph moved to the trash',
      GRAPH_PURGED: 'Graph deleted for good',
      GRAPH_DELETED: 'Graph deleted',
      SERVER_STARTED: 'Server started',
      SERVER_STOPPED: 'Server stopped',
      STORE_RESTORED: 'Store restored'
    }
  },

  users: {
    login: 'Login',
    loginHint: 'Lower-case letters, digits and . _ @ -',
    role: 'Role',
    password: 'Password',
    createdAt: 'Since',
    create: 'New user',
    createSubmit: 'Create',
    you: 'You',
    disabled: 'Disabled',
    disable: 'Disable',
    enable: 'Enable',
    changeRole: 'Change the role',
    resetPassword: 'Reset the password',
    audits: 'What they did',
    delete: 'Delete',
    deleteQuestion: (login: string) => `Delete ${login}? What they did stays in the audit trail.`,
    roleOf: (login: string) => `Role of ${login}`,
    passwordOf: (login: string) => `New password for ${login}`,
    passwordHint: 'Every session of the user ends. Tell them the new password by another way.',
    menu: (login: string) => `Actions for ${login}`
  }
}
