import { openStore } from '../db/engine/open.ts'
import type { Store } from '../db/store.ts'
import { existingDatabase } from './settings/data-folder.ts'
import { startThread } from './system/assets.ts'

type StoreSettings = Parameters<typeof openStore>[0] & { data: string }

/** Opens the store for a command, and closes it when the command is done. Throws BadSetting or StoreRefused. */
export async function withStore<T>(
  settings: StoreSettings,
  use: (store: Store) => Promise<T>,
  fileIn: (folder: string) => string = existingDatabase
): Promise<T> {
  const store = await openStore(settings, () => fileIn(settings.data), startThread)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
