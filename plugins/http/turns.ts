const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop that nobody else has who asks here: what takes milliseconds is done once a turn,
 * however many ask for it at once, and small requests are answered in between.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next() {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}
