/** The files of something that is built before the program runs: by their path, such as `index.html`, what reads each anew. */
export type BuiltFiles = ReadonlyMap<string, () => Promise<Buffer>>
