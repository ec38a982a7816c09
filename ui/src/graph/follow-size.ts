import type Sigma from 'sigma'

/** Draws again when the container has another size; the renderer itself looks at the window's only. Returns a function that ends this. */
export function followSize(sigma: Sigma): () => void {
  const container = sigma.getContainer()
  const watcher = new ResizeObserver(() => {
    const { width, height } = sigma.getDimensions()
    if (container.offsetWidth !== width || container.offsetHeight !== height) sigma.refresh()
  })
  watcher.observe(container)
  return () => watcher.disconnect()
}
