import { useComputedColorScheme } from '@mantine/core'
import { IconCircleDashed, IconTopologyComplex } from '@tabler/icons-react'
import { useState } from 'react'
import { isQuick, showsNodes } from '../../../picture/layout/limits.ts'
import type { GraphRecord } from '../api.ts'

/** The size of a thumbnail in pixels. Space is reserved in advance, so that the list does not shift when the picture loads. */
const SIZE = { width: 64, height: 48 }

/** The number of picture pixels per CSS pixel. With 2, pictures are sharp on high-density screens. */
const SCALE = 2

/**
 * The picture of a graph in the list, or an icon if there is none. The picture is loaded when scrolled into view. It is
 * decorative, so it has no alternative text.
 */
export function Thumbnail(graph: GraphRecord) {
  return (
    <span className="thumbnail" aria-hidden>
      {graph.nodeCount === 0 ? (
        <IconCircleDashed size={20} stroke={1.5} />
      ) : !showsNodes(graph) ? (
        <IconTopologyComplex size={24} stroke={1.5} />
      ) : (
        <Picture {...graph} />
      )}
    </span>
  )
}

function Picture(graph: GraphRecord) {
  const { id, version } = graph
  const theme = useComputedColorScheme('light')
  const [shownAt] = useState(Date.now)
  // `cacheBuster` gives each version its own URL in the browser's cache. The server ignores it. Pictures of large graphs change
  // without a new version, and browsers do not load an image again from the same URL.
  const cacheBuster = isQuick(graph) ? version : `${version}-${shownAt}`
  const look = `width=${SIZE.width * SCALE}&height=${SIZE.height * SCALE}&theme=${theme}`
  // A PNG, because an SVG would contain every edge.
  const src = `/api/graphs/${id}/picture.png?${look}&cacheBuster=${cacheBuster}`
  return <img key={src} src={src} alt="" loading="lazy" decoding="async" {...SIZE} />
}
