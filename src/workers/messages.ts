// The messages between the primary process and its workers, as JSON.

/** A message from the primary to a worker. */
export type ToWorker =
  /** Comes with the handle of the port, which is bound to this address. */
  | { kind: 'start'; address: Address; size: number }
  | { kind: 'size'; size: number }
  | { kind: 'locked'; id: number }
  | { kind: 'told'; topic: string; message: unknown }
  | { kind: 'asked'; id: number; topic: string }
  | { kind: 'answers'; id: number; answers: unknown[] }
  /** `signal` is the one that stops the whole server, if it does. */
  | { kind: 'stop'; signal?: NodeJS.Signals }

/** A message from a worker to the primary. `busy` is the share of the last second in which its event loop was busy. */
export type FromWorker =
  | { kind: 'prepared' }
  | { kind: 'listening'; url: string }
  | { kind: 'load'; busy: number }
  | { kind: 'lock'; id: number; name: string; milliseconds: number }
  | { kind: 'unlock'; id: number; name: string }
  | { kind: 'tell'; topic: string; message: unknown }
  | { kind: 'ask'; id: number; topic: string }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'leave'; topic: string; value: unknown }

/** The address of a port. */
export interface Address {
  host: string
  port: number
}
