import { timingSafeEqual } from 'node:crypto'

/** Tells whether the given text is the expected signature, in a time that does not depend on how much of it is right. */
export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
