/** Thrown if a measure is undefined for a network: it needs an edge that counts, or its iteration has no limit. */
export class UndefinedMeasure extends Error {
  override readonly name = 'UndefinedMeasure'
  readonly reason: UndefinedReason

  constructor(reason: UndefinedReason) {
    super(reason)
    this.reason = reason
  }
}

export type UndefinedReason = 'noWeight' | 'noLimit'
