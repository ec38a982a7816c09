/** The top-level folders of the program, as in ARCHITECTURE.md. */
export const houseFolders = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas']
