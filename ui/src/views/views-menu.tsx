import { Button, Menu, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconBookmark, IconBookmarkPlus, IconLink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Graph, SavedView, Style } from '../api.ts'
import { tidyStyle, viewOfQuery } from '../graph/view/style-address.ts'
import { mayChange } from '../graphs/graphs.ts'
import { notify, notifyFailure } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { DefaultMenu } from './default-menu.tsx'
import SaveViewDialog from './save-view-dialog.tsx'
import { useSavedViews, useSaveView, useSetDefaultView } from './saved-views.ts'
import { useShownQuery } from './shown-query.ts'
import { Submenu } from './submenu.tsx'

/** A menu for opening, saving and removing a graph's views, and for copying the address, which contains the current view. */
export function ViewsMenu({
  graph,
  style,
  onComplete,
  onOpen
}: {
  graph: Graph
  /** The style on the screen. The button shows whether a saved view has it. */
  style: Style | undefined
  /** Completes the address before it is copied. */
  onComplete: () => void
  onOpen: (view: SavedView) => void
}) {
  const { data: views = [], isSuccess } = useSavedViews(graph.id)
  const isUnsaved = style !== undefined && mayChange(graph) && isSuccess && !hasStyle(views, style)
  const remove = useSaveView(graph.id)
  const makeDefault = useSetDefaultView(graph.id)
  const clipboard = useClipboard()
  const shownQuery = useShownQuery()
  const [saving, setSaving] = useState<Pick<SavedView, 'query' | 'style'>>()
  const copy = () => {
    onComplete()
    // Browsers offer the clipboard API only over TLS or on localhost.
    if (navigator.clipboard) {
      clipboard.copy(location.href)
      notify({ message: text.link.copied })
    } else notify({ title: text.link.title, message: location.href, autoClose: false })
  }
  const beginSave = () => setSaving(viewOfQuery(shownQuery() ?? ''))
  // The submenu closes before the response arrives.
  const setDefault = (name: string | null) =>
    makeDefault.mutate(name, {
      onError: notifyFailure,
      onSuccess: () => notify({ message: name === null ? text.views.noDefault : text.views.isDefault(name) })
    })
  const removeView = (name: string) =>
    remove.mutate(
      { name, view: undefined },
      {
        onError: notifyFailure,
        onSuccess: () => notify({ message: text.views.removed(name) })
      }
    )
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant={isUnsaved ? 'light' : 'default'}
            className="tool"
            aria-label={text.views.title}
            aria-description={isUnsaved ? text.views.unsaved : undefined}
            title={isUnsaved ? text.views.unsaved : undefined}
            leftSection={<IconBookmark size={16} aria-hidden />}
          >
            <span className="tool-label">{text.views.title}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="views-menu">
          {views.length > 0 && <Menu.Label>{text.views.open}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.name} className="breakable" onClick={() => onOpen(view)}>
              {view.name}
              {view.name === graph.defaultView && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  {text.views.markedDefault}
                </Text>
              )}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={copy}>
            {text.link.title}
          </Menu.Item>
          {mayChange(graph) && (
            <Menu.Item leftSection={<IconBookmarkPlus size={16} aria-hidden />} onClick={beginSave}>
              {text.views.begin}
              {isUnsaved && (
                <Text size="xs" c="dimmed">
                  {text.views.unsaved}
                </Text>
              )}
            </Menu.Item>
          )}
          {mayChange(graph) && views.length > 0 && <DefaultMenu graph={graph} views={views} onChoose={setDefault} />}
          {mayChange(graph) && views.length > 0 && <RemoveMenu views={views} onRemove={removeView} />}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveViewDialog graphId={graph.id} views={views} view={saving} onClose={() => setSaving(undefined)} />}
    </>
  )
}

/** Returns whether one of the views has this style. */
function hasStyle(views: SavedView[], style: Style): boolean {
  const known = JSON.stringify(style)
  return views.some((view) => view.style && JSON.stringify(tidyStyle(view.style)) === known)
}

function RemoveMenu({ views, onRemove }: { views: SavedView[]; onRemove: (name: string) => void }) {
  return (
    <Submenu label={text.views.remove} Icon={IconTrash}>
      {views.map(({ name }) => (
        <Menu.Item key={name} className="breakable" onClick={() => onRemove(name)}>
          {name}
        </Menu.Item>
      ))}
    </Submenu>
  )
}
