/** The outcome of a program. */
export interface Outcome {
  succeeded: boolean
  /** Only its standard output. */
  printed: string
  /** Everything that it printed, errors first. */
  output: string
}

/** The address of a server's audits, and a token for it. The log is under `log/`. */
export interface Source {
  url: string
  token: string
}

/** A growing log, which outsiders read at its address. */
export interface Log extends Source {
  /** Grows to this size. Resolves when the checkpoint has it. */
  growTo(size: number): Promise<void>
  /** Writes the tree of the last checkpoint into a new folder: `checkpoint`, `key` and `tile/`. */
  exportTo(folder: string): Promise<Outcome>
  /** Makes the witness with this address and verifier key sign the last checkpoint. Prints it with both signatures. */
  witness(url: string, key: string): Promise<Outcome>
  /** Returns a copy with the same entries and keys, to which different entries are then added. */
  fork(): Promise<Log>
  close(): Promise<void>
}

/** Fetches the response at this path under the audits. */
export async function fetchFrom({ url, token }: Source, path: string): Promise<Buffer> {
  const answer = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
  return body
}
