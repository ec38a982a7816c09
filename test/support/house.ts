/** The floors of the program, as ARCHITECTURE.md describes them. */
export const houseFolders = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas']
