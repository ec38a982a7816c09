import { Has } from 'tcompare'

// Loaded before every test file, by suite.ts. By itself `t.match` compares an array only as far as the expected one reaches,
// so that `t.match({ faults: ['x'] }, { faults: [] })` passes. From here on arrays have to be of equal length.

const prototype: { objectAsArray?: unknown } = Has.prototype
if (!Object.hasOwn(prototype, 'objectAsArray'))
  throw new Error('tcompare has changed: t.match no longer compares arrays exactly')
delete prototype.objectAsArray
