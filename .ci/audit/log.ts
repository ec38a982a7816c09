/** The outcome of running a program. */
export interface Outcome {
  succeeded: boolean
  /** Its standard output. */
  printed: string
  /** Its standard error, followed by its standard output. */
  output: string
}

/** The address of a server's audit API, and a token for it. The log is under `log/`. */
export interface Source {
  url: string
  token: string
}

/** A growing log, which independent programs read over HTTP. */
export interface Log extends Source {
  /** Adds events until the log has this size. Resolves when the checkpoint includes them. */
  growTo(size: number): Promise<void>
  /** Writes the tree of the last checkpoint into a new folder: `checkpoint`, `key` and `tile/`. */
  exportTo(folder: string): Promise<Outcome>
  /**
   * Has the witness with this address and verifier key sign the last checkpoint. Prints the checkpoint with both signatures.
   */
  witness(url: string, key: string): Promise<Outcome>
  /** Returns a copy with the same entries and keys, to which `growTo` adds different entries. */
  fork(): Promise<Log>
  close(): Promise<void>
}

/** Fetches a path relative to the audit API. */
export async function fetchFrom({ url, token }: Source, path: string): Promise<Buffer> {
  const answer = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
  return body
}
