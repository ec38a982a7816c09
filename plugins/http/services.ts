import type { Store } from '../../db/store.ts'
import type { IdleLimits } from '../../db/users/sessions.ts'
import { alone, type Peers } from '../../graph/jobs/peers.ts'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import type { PictureKit } from '../../picture/sheet/png.ts'
import { limitOf, millisecondsOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { BuiltFiles } from './built-files.ts'
import { Layouts, type Log } from './contents/layouts.ts'
import { Pictures } from './contents/pictures.ts'
import { deriveKey } from './derived-keys.ts'

/** The parts that the program supplies to the service. */
export interface Program {
  /** The version of Graphstead. */
  version: string
  startThread: StartThread
  /** The files of the web app, the API documentation page, and the help; empty if they have not been built. */
  webApp(): BuiltFiles
  docsPage(): BuiltFiles
  helpPages(): BuiltFiles
  /** Returns the resources for drawing PNG pictures. */
  pictureKit(): Promise<PictureKit>
}

/** The dependencies that several plugins share. */
export interface Services {
  settings: Settings
  program: Program
  /** The other processes of the server. */
  peers: Peers
  /** The key that signs tokens. */
  tokenKey: Buffer
  /** Derives a key for one purpose from the token key. */
  keyFor(purpose: string): Buffer
  worker: GraphWorker
  layouts: Layouts
  pictures: Pictures
  /** How long a session may be idle before it expires. */
  idle: IdleLimits
}

interface Parts {
  program: Program
  store: Store
  tokenKey: Buffer
  log: Log
  peers?: Peers | undefined
}

export function createServices(settings: Settings, parts: Parts): Services {
  const { program, store, tokenKey, log, peers = alone } = parts
  const { bodyLimit, maxNodes, maxEdges, metadataLimit } = settings
  const keyFor = (purpose: string) => deriveKey(tokenKey, `graphstead ${purpose}`)
  const worker = new GraphWorker(
    { maxNodes, maxEdges, bodyLimit, metadataLimit },
    {
      startThread: program.startThread,
      timeout: millisecondsOf(settings.jobTimeout),
      memory: settings.jobMemory,
      peers
    }
  )
  const layouts = new Layouts(store, worker, keyFor(`layout ${program.version}`), log)
  return {
    settings,
    program,
    peers,
    tokenKey,
    keyFor,
    worker,
    layouts,
    pictures: new Pictures(store, layouts, worker, program.pictureKit, keyFor(`picture ${program.version}`)),
    idle: { window: limitOf(settings.sessionIdle), remembered: limitOf(settings.sessionIdleRemembered) }
  }
}
