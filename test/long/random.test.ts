// The tests of random histories and graphs, with many more of them.

process.env.RUNS = '8'
await import('../model.test.ts')
await import('../round-trips.test.ts')
await import('../sharing-model.test.ts')
