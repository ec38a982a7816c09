import { Unreachable } from '../api.ts'

/** Thrown if the code of a page is missing on the server or fails to run. */
export class PageMissing extends Error {}

/**
 * Loads the code of a page. After an upgrade, the server has the code only under a different file name, so on failure the whole
 * app is reloaded once. Throws Unreachable, or PageMissing if reloading did not help.
 */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    const module = await load()
    mark(false)
    return module
  } catch (cause) {
    return reload(cause)
  }
}

async function reload(cause: unknown): Promise<never> {
  await fetch('/healthz', { cache: 'no-store' }).catch(() => {
    throw new Unreachable({ cause })
  })
  if (isMarked()) {
    // If the user tries again, the app will be reloaded once more.
    mark(false)
    throw new PageMissing('missing', { cause })
  }
  mark(true)
  location.reload()
  return new Promise(() => {})
}

/** Returns whether the app has already been reloaded for this page. The history state survives the reload. */
function isMarked() {
  return history.state === 'reloaded'
}

function mark(isReloaded: boolean) {
  if (isMarked() !== isReloaded) history.replaceState(isReloaded ? 'reloaded' : null, '')
}
