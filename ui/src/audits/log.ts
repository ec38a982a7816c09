import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, isProblem, take } from '../api.ts'
import { AUDITS } from './audits.ts'

// Queries for the signed log of the events: its latest checkpoint, its key, and the proofs of events.

/** The delay before retrying a request for a checkpoint or proof that does not exist yet, in milliseconds. */
const SOON = 2000

/** The maximum number of attempts, so that a page left open stops sending requests. */
const MOST = 30

/** The latest checkpoint, a signed note (c2sp.org/tlog-checkpoint). */
interface Checkpoint {
  note: string
  origin: string
  size: number
  /** The root hash in base64. */
  root: string
  lookedAt: Date
}

/**
 * Returns the latest checkpoint. With `listedAt`, the time when a list of events was fetched, fetches the checkpoint after the
 * list and again whenever that time changes. Retries until the server has a checkpoint.
 */
export function useCheckpoint({ listedAt }: { listedAt?: number } = {}) {
  return useQuery({
    queryKey: [...AUDITS, 'checkpoint', listedAt],
    queryFn: async ({ signal }) =>
      readCheckpoint(await take(api.GET('/management/audits/log/checkpoint', { parseAs: 'text', signal }))),
    enabled: listedAt !== 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: listedAt === undefined,
    retry: false,
    refetchInterval: ({ state }) => isProblem(state.error, 'not-ready') && state.errorUpdateCount < MOST && SOON
  })
}

/** Returns the key that verifies checkpoints (c2sp.org/signed-note). */
export function useVerifierKey() {
  return useQuery({
    queryKey: [...AUDITS, 'key'],
    queryFn: async ({ signal }) =>
      (await take(api.GET('/management/audits/log/key', { parseAs: 'text', signal }))).trim(),
    retry: false,
    refetchInterval: ({ state }) => isProblem(state.error, 'not-ready') && state.errorUpdateCount < MOST && SOON
  })
}

/** Returns the proof that an event is in the log (c2sp.org/tlog-proof). Retries until there is a proof. */
export function useProof(id: number) {
  return useQuery({
    queryKey: [...AUDITS, 'proof', id],
    queryFn: async ({ signal }) =>
      readProof(
        await take(api.GET('/management/audits/{id}/proof', { params: { path: { id } }, parseAs: 'text', signal }))
      ),
    // Refetching would replace the proof while the user is reading it.
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => isProblem(state.error, 'not-in-tree-yet') && state.errorUpdateCount < MOST && SOON
  })
}

/** Returns the file name for a checkpoint of this size. */
export function checkpointFileName(size: number) {
  return `checkpoint-${size}.txt`
}

function readCheckpoint(note: string): Checkpoint {
  const [origin = '', size, root = ''] = note.split('\n')
  return { note, origin, size: Number(size), root, lookedAt: new Date() }
}

function readProof(proof: string) {
  const [head = '', ...rest] = proof.split('\n\n')
  const [index = '', ...hashes] = head.slice(head.indexOf('\nindex ') + '\nindex '.length).split('\n')
  return { proof, index: Number(index), hashCount: hashes.length, checkpoint: readCheckpoint(rest.join('\n\n')) }
}
