import { Unreachable } from '../api.ts'

/** Thrown if the code of a page is missing on the server or fails to run. */
export class PageMissing extends Error {}

/**
 * Loads the code of the page with this name. After an upgrade, the server has the code only under a different file name, so on
 * failure the whole app is reloaded once. Throws Unreachable, or PageMissing if reloading did not help.
 */
export async function loadPage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    const module = await load()
    if (isMarked(name)) mark(null)
    return module
  } catch (cause) {
    return reload(name, cause)
  }
}

async function reload(name: string, cause: unknown): Promise<never> {
  await fetch('/healthz', { cache: 'no-store' }).catch(() => {
    throw new Unreachable({ cause })
  })
  if (isMarked(name)) {
    // If the user tries again, the app will be reloaded once more.
    mark(null)
    throw new PageMissing('missing', { cause })
  }
  mark(name)
  location.reload()
  return new Promise(() => {})
}

/** Returns whether the app has already been reloaded for this page. The history state survives the reload. */
function isMarked(name: string) {
  return history.state === name
}

function mark(name: string | null) {
  history.replaceState(name, '')
}
