import { Button, Group, Tabs } from '@mantine/core'
import type { GraphRecord } from '../api.ts'
import { Dialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { EmbedPanel } from './embed-panel.tsx'
import { LinksPanel } from './links-panel.tsx'
import { PeoplePanel } from './people-panel.tsx'
import { PicturePanel } from './picture-panel.tsx'

/** Shares a graph with people and groups, or through links that need no account. For the owner and administrators only. */
export default function ShareDialog({
  graph,
  onHandOver,
  onClose
}: {
  graph: GraphRecord
  onHandOver: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={text.sharing.title(graph.name)} size="lg" onClose={onClose}>
      <Tabs defaultValue="people" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="people">{text.sharing.people}</Tabs.Tab>
          <Tabs.Tab value="links">{text.links.tab}</Tabs.Tab>
          <Tabs.Tab value="embed">{text.links.embed}</Tabs.Tab>
          <Tabs.Tab value="picture">{text.picture.tab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people" pt="md">
          <PeoplePanel graph={graph} onHandOver={onHandOver} />
        </Tabs.Panel>
        <Tabs.Panel value="links" pt="md">
          <LinksPanel graph={graph} />
        </Tabs.Panel>
        <Tabs.Panel value="embed" pt="md">
          <EmbedPanel graph={graph} />
        </Tabs.Panel>
        <Tabs.Panel value="picture" pt="md">
          <PicturePanel graph={graph} />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {text.close}
        </Button>
      </Group>
    </Dialog>
  )
}
