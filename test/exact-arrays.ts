import { Has } from 'tcompare'

// Loaded before every test file, see .taprc. By itself `t.match` compares an array only as far as the expected one reaches,
// so that `t.match({ faults: ['x'] }, { faults: [] })` passes. From here on arrays have to be of equal length.

delete (Has.prototype as { objectAsArray?: unknown }).objectAsArray
