import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'
import type { PathQuery } from './path-query.ts'

/** A button that opens or closes the search for a shortest path, or shows it if another tab hides it. */
export function PathButton() {
  const { query, change, side } = usePathQuery()
  const isShown = query !== undefined && side.tab === 'path'
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRoute size={16} aria-hidden />}
      aria-expanded={isShown}
      onClick={() => {
        if (!query) change({ path: { isEitherWay: false } })
        if (isShown) change({ path: undefined })
        else side.openPath()
      }}
    >
      {text.paths.title}
    </Button>
  )
}

/** Buttons that make a node the start or the end of the path. */
export function PathEndButtons({ id }: { id: string }) {
  const setEnd = useSetPathEnd()
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setEnd({ from: id })}>
        {text.paths.fromHere}
      </Button>
      <Button variant="default" size="xs" onClick={() => setEnd({ to: id })}>
        {text.paths.toHere}
      </Button>
    </>
  )
}

/** Returns a function that sets an end of the path, and shows the search for it. */
export function useSetPathEnd() {
  const { query = { isEitherWay: false }, change, side } = usePathQuery()
  return (end: Partial<PathQuery>) => {
    change({ path: { ...query, number: undefined, ...end } })
    side.openPath()
  }
}

function usePathQuery() {
  const { view, side } = useGraphContext()
  return { query: view.view.path, change: view.change, side }
}
