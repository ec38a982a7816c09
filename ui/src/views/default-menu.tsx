import { Menu } from '@mantine/core'
import { IconHome } from '@tabler/icons-react'
import type { Graph, SavedView } from '../api.ts'
import { text } from '../text/index.ts'
import { Submenu } from './submenu.tsx'

/** Stands for no view. No view has this name. */
const NONE = ''

/** A submenu that makes one of the saved views the default view of the graph, or none of them. */
export function DefaultMenu({
  graph,
  views,
  onChoose
}: {
  graph: Graph
  views: SavedView[]
  onChoose: (name: string | null) => void
}) {
  return (
    <Submenu label={text.views.default} Icon={IconHome}>
      <Menu.RadioGroup value={graph.defaultView ?? NONE} onChange={(name) => onChoose(name === NONE ? null : name)}>
        <Menu.RadioItem value={NONE} closeMenuOnClick>
          {text.views.none}
        </Menu.RadioItem>
        {views.map(({ name }) => (
          <Menu.RadioItem key={name} value={name} className="breakable" closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Submenu>
  )
}
