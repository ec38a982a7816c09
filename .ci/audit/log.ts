/** The outcome of a program. */
export interface Outcome {
  succeeded: boolean
  /** Its standard output alone. */
  printed: string
  /** All that it printed, errors first. */
  output: string
}

/** The address of the audits of a server, and a token for it. The log is below `log/`. */
export interface Source {
  url: string
  token: string
}

/** A log that grows. Outsiders read it by its address. */
export interface Log extends Source {
  /** Grows to this size. Resolves when the checkpoint has the size. */
  growTo(size: number): Promise<void>
  /** Writes the tree of the last checkpoint into a new folder: `checkpoint`, `key` and `tile/`. */
  exportTo(folder: string): Promise<Outcome>
  /** Has the witness with this address and verifier key sign the last checkpoint, and prints it with both signatures. */
  witness(url: string, key: string): Promise<Outcome>
  /** Returns a copy with the same entries and keys, which grows by other entries than this log. */
  fork(): Promise<Log>
  close(): Promise<void>
}

/** Fetches the answer with this path below the audits. */
export async function fetchFrom({ url, token }: Source, path: string): Promise<Buffer> {
  const answer = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
  return body
}
