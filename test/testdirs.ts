import { basename, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Loaded before every test file, see .taprc. The folders of tests (`t.testdir`) are in the folder that `test/run.ts` names,
// otherwise in .tap/fixtures.

const folder = process.env.GRAPHSTEAD_TEST_FOLDER

if (folder !== undefined && isMainThread) {
  const { default: t } = await import('tap')
  t.testdirName = join(folder, basename(t.testdirName))
  // At the end of a test tap would leave the repository for the folder that contains the test's.
  process.chdir = () => {}
}
