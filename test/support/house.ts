/** The floors of the program, as CONTRIBUTING.md describes them. */
export const houseFolders = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas']
