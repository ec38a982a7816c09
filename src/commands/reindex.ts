import { setTimeout as sleep } from 'node:timers/promises'
import { indexedUpTo, indexNext, startIndexing } from '../../db/upkeep/reindex.ts'
import { wordsOfStored } from '../../graph/query/stored-words.ts'
import { storeSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { exitOnSignals } from '../system/interruption.ts'
import { progressLine } from '../system/progress.ts'
import { print } from '../system/terminal.ts'
import { withStore } from '../with-store.ts'

export const help = usage(
  'reindex',
  `Rebuilds the search index from all graphs. A running server can search and change graphs in the meantime. If the command is
interrupted, the server or the next run continues where it stopped.`,
  storeSettings
)

/** The pause between transactions, in milliseconds, which leaves time for a running server. */
const PAUSE = 2

/** Rebuilds the word index. */
const reindex: Command = async (args) => {
  const { values, positionals } = readSettings(storeSettings, args, process.env)
  if (positionals.length > 0) throw new BadSetting(`reindex takes no arguments: ${positionals[0]}`)
  const progress = progressLine('reindexing')
  await withStore(values, async (store) => {
    exitOnSignals()
    await store.write(startIndexing)
    const { graph: last } = await store.lastIds(store.read)
    while (await indexNext(store, async (body) => wordsOfStored(body))) {
      progress.update((await indexedUpTo(store.read)) ?? last, last, 'graphs')
      await sleep(PAUSE)
    }
  }).finally(() => progress.clear())
  print('The search index is up to date.')
  return 0
}

export default reindex
