import { useComputedColorScheme } from '@mantine/core'
import type { GraphRecord } from '../api.ts'

/** The size of a thumbnail in pixels. Space is reserved in advance, so that the list does not shift when the picture loads. */
const SIZE = { width: 64, height: 48 }

/** The number of picture pixels per CSS pixel. With 2, pictures are sharp on high-density screens. */
const SCALE = 2

/** Larger graphs have no thumbnail, because the server would take too long to render a list of them. */
const MOST_NODES = 2000
const MOST_EDGES = 10_000

/**
 * The picture of a graph in the list. It is loaded when scrolled into view. It is decorative, so it has no alternative text.
 */
export function Thumbnail({ id, version, nodeCount, edgeCount }: GraphRecord) {
  const theme = useComputedColorScheme('light')
  if (nodeCount === 0 || nodeCount > MOST_NODES || edgeCount > MOST_EDGES) return null
  // `cacheBuster` gives each version its own URL in the browser's cache. The server ignores it.
  const look = `width=${SIZE.width * SCALE}&height=${SIZE.height * SCALE}&theme=${theme}`
  // A PNG, because an SVG would contain every edge.
  const src = `/api/graphs/${id}/picture.png?${look}&cacheBuster=${version}`
  return <img key={src} src={src} alt="" loading="lazy" decoding="async" {...SIZE} />
}
