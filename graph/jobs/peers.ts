/** The processes of a server that share its port and its store. */
export interface Peers {
  /** The number of processes that serve requests, including this one. */
  readonly size: number
  /** Calls the listener whenever the number of processes changes, with the number before and after. */
  onSize(listener: (size: number, before: number) => void): void
  /**
   * Waits until no other process holds this lock, but no longer than this many milliseconds. Resolves to a function that
   * releases it. A process that ends, or holds the lock for longer than that, loses it.
   */
  lock(name: string, milliseconds: number): Promise<() => void>
  /** Sends a message, as JSON, to all other processes. */
  tell(topic: string, message: unknown): void
  /** Sets the listener for messages on a topic. */
  onTold<T>(topic: string, listener: (message: T) => void): void
  /** Asks all other processes about a topic. Resolves to the answers received within a second. */
  ask<T>(topic: string): Promise<T[]>
  /** Sets the function that answers questions about a topic. */
  onAsked(topic: string, answer: () => unknown): void
  /** Keeps a value, which answers for this process when it cannot, and is included in later answers after it has ended. */
  leave(topic: string, value: unknown): void
}

/** The peers of a server with a single process. */
export const alone: Peers = {
  size: 1,
  onSize: () => {},
  lock: async () => () => {},
  tell: () => {},
  onTold: () => {},
  ask: async () => [],
  onAsked: () => {},
  leave: () => {}
}
