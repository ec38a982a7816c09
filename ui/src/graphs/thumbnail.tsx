import { useComputedColorScheme } from '@mantine/core'
import type { GraphRecord } from '../api.ts'

/** The size of a thumbnail in pixels. It is there before the picture, so that nothing moves when it comes. */
const SIZE = { width: 64, height: 48 }

/** The pixels of the picture for each pixel of the page, so that it is sharp on all screens. */
const SCALE = 2

/** Graphs beyond these sizes have no thumbnail: the server would take long for a list of them. */
const MOST_NODES = 2000
const MOST_EDGES = 10_000

/** The picture of a graph in the list, which a browser fetches when it comes into view. Decoration beside the name. */
export function Thumbnail({ id, version, nodeCount, edgeCount }: GraphRecord) {
  const theme = useComputedColorScheme('light')
  if (nodeCount === 0 || nodeCount > MOST_NODES || edgeCount > MOST_EDGES) return null
  // `cacheBuster` means nothing to the server; a browser has another address for another version.
  const look = `width=${SIZE.width * SCALE}&height=${SIZE.height * SCALE}&theme=${theme}`
  // A PNG: an SVG has every edge, however small it is.
  const src = `/api/graphs/${id}/picture.png?${look}&cacheBuster=${version}`
  return <img key={src} src={src} alt="" loading="lazy" decoding="async" {...SIZE} />
}
