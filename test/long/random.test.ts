// Runs the tests of random histories and graphs with many more cases.

process.env.RUNS = '8'
await import('../graphs/model.test.ts')
await import('../formats/round-trips.test.ts')
await import('../sharing/sharing-model.test.ts')
