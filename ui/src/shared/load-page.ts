import { Unreachable } from '../api.ts'

/** The server does not have the code of a page, or the code does not run. */
export class PageMissing extends Error {}

/**
 * Loads the code of a page. A server that was upgraded meanwhile has it under another name only: then the whole app is
 * loaded again, once. Throws Unreachable, and PageMissing if that was in vain.
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
    throw new Unreachable('unreachable', { cause })
  })
  if (isMarked()) {
    // The user may try again, which loads the app once more.
    mark(false)
    throw new PageMissing('missing', { cause })
  }
  mark(true)
  location.reload()
  return new Promise(() => {})
}

/** Whether the app has been loaded again for this page. The window's history keeps that across the load. */
function isMarked() {
  return history.state === 'reloaded'
}

function mark(isReloaded: boolean) {
  if (isMarked() !== isReloaded) history.replaceState(isReloaded ? 'reloaded' : null, '')
}
