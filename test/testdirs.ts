import { basename, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Loaded before every test file, see .taprc. The folders of tests (`t.testdir`) are in the folder that `test/run.ts` names,
// otherwise in .tap/fixtures. tap removes the folder of a test after the teardowns only if a teardown came first: otherwise
// a server still writes there, the removal fails, and nothing ends the server.

const folder = process.env.GRAPHSTEAD_TEST_FOLDER

if (isMainThread) {
  const { default: t } = await import('tap')
  t.teardown(() => {})
  t.beforeEach((t) => t.teardown(() => {}))
  if (folder !== undefined) {
    t.testdirName = join(folder, basename(t.testdirName))
    // At the end of a test tap would leave the repository for the folder that contains the test's.
    process.chdir = () => {}
  }
}
