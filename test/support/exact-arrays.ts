import { Has } from 'tcompare'

// Loaded by suite.ts before every test file. By default, `t.match` compares an array only up to the length of the expected one,
// so that `t.match({ faults: ['x'] }, { faults: [] })` passes. This module makes it require arrays of equal length.

const prototype: { objectAsArray?: unknown } = Has.prototype
if (!Object.hasOwn(prototype, 'objectAsArray'))
  throw new Error('tcompare has changed: t.match no longer compares arrays exactly')
delete prototype.objectAsArray
