/** Files built before the program runs. Maps each path, such as `index.html`, to a function that reads the file. */
export type BuiltFiles = ReadonlyMap<string, () => Promise<Buffer>>
