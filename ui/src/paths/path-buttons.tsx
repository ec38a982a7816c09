import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'

/** A button that opens or closes the search for a shortest path. */
export function PathButton() {
  const { query, change } = usePathQuery()
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRoute size={16} aria-hidden />}
      aria-expanded={query !== undefined}
      onClick={() => change({ path: query ? undefined : { isEitherWay: false } })}
    >
      {text.paths.title}
    </Button>
  )
}

/** Buttons that make a node the start or the end of the path. */
export function PathEndButtons({ id }: { id: string }) {
  const { query = { isEitherWay: false }, change } = usePathQuery()
  return (
    <>
      <Button variant="default" size="xs" onClick={() => change({ path: { ...query, from: id } })}>
        {text.paths.fromHere}
      </Button>
      <Button variant="default" size="xs" onClick={() => change({ path: { ...query, to: id } })}>
        {text.paths.toHere}
      </Button>
    </>
  )
}

/** Returns the search for a path, with a function to change it. */
export function usePathQuery() {
  const { view } = useGraphContext()
  return { query: view.view.path, change: view.change }
}
