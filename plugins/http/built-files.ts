/** Files that were built before the program runs: by their path, such as `index.html`, the function that reads each. */
export type BuiltFiles = ReadonlyMap<string, () => Promise<Buffer>>
