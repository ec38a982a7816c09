import { ActionIcon, Badge, Button, Group, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { GraphContent } from '../api.ts'
import { PasteButton } from '../paste/paste-button.tsx'
import { ConfirmDialog } from '../shared/dialog.tsx'
import { HIDDEN_NODES } from '../shared/notify.ts'
import { useKeys } from '../shared/use-keys.ts'
import { text } from '../text/index.ts'
import { ClashDialog } from './clash-dialog.tsx'
import { NewNodeDialog } from './new-node-dialog.tsx'
import { SaveEditDialog } from './save-edit-dialog.tsx'
import { useEditFocus } from './use-edit-focus.ts'
import type { Editing } from './use-editing.ts'

/** The toolbar of an edit, with buttons to add a node, undo, redo, save and discard. */
export function EditBar({
  editing,
  placed,
  onAdded,
  onStep
}: {
  editing: Editing
  /** Returns the content with the places of all nodes. */
  placed: (content: GraphContent) => GraphContent
  /** Called with the id of a new node. */
  onAdded: (id: string) => void
  /** Called after an undo or redo. */
  onStep: () => void
}) {
  const { history, content, size, clash, change, discard, decide } = editing
  const [dialog, setDialog] = useState<'node' | 'save' | 'discard'>()
  const close = () => setDialog(undefined)
  useEditFocus(history !== undefined)
  // After an edit, Ctrl+Z undoes the edit, and no longer the hiding of nodes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change
  useEffect(() => void notifications.hide(HIDDEN_NODES), [content])
  const step = (states: unknown[] | undefined, act: () => void) => () => {
    if (!states?.length) return
    act()
    onStep()
  }
  const [undo, redo] = [step(history?.past, editing.undo), step(history?.future, editing.redo)]
  const isOpen = history !== undefined && !dialog && !clash
  useKeys(
    isOpen
      ? [
          ['mod+Z', undo],
          ['mod+shift+Z', redo],
          ['mod+Y', redo]
        ]
      : []
  )
  const saveButton = useRef<HTMLButtonElement>(null)
  // Works in fields too. Leaving a field applies what the user has typed.
  const save = () => {
    const focused = document.activeElement as HTMLElement
    focused.blur()
    setTimeout(() => {
      if (saveButton.current?.disabled) return focused.focus()
      saveButton.current?.focus()
      saveButton.current?.click()
    })
  }
  useHotkeys(isOpen ? [['mod+S', save]] : [], [])
  if (!history) return null
  const steps = [
    { label: text.undo, Icon: IconArrowBackUp, act: undo, isThere: history.past.length > 0 },
    { label: text.edit.redo, Icon: IconArrowForwardUp, act: redo, isThere: history.future.length > 0 }
  ]
  return (
    <Group className="edit-bar" gap="xs" role="toolbar" aria-label={text.edit.title}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setDialog('node')}
      >
        {text.edit.addNode}
      </Button>
      <PasteButton content={content} onApply={change} />
      {steps.map(({ label, Icon, act, isThere }) => (
        <Tooltip key={label} label={label}>
          {/* Not `disabled`, because the button would lose focus after the last step. */}
          <ActionIcon
            variant="default"
            aria-label={label}
            aria-disabled={!isThere}
            data-disabled={!isThere || undefined}
            onClick={act}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <Badge variant="default" role="status">
        {text.edit.size(size)}
      </Badge>
      <Button size="xs" variant="default" onClick={() => (size === 0 ? discard() : setDialog('discard'))}>
        {size === 0 ? text.edit.end : text.edit.discard}
      </Button>
      <Button ref={saveButton} size="xs" disabled={size === 0} onClick={() => setDialog('save')}>
        {text.edit.save}
      </Button>
      {dialog === 'node' && (
        <NewNodeDialog
          content={content}
          onClose={close}
          onAdd={(next, id) => {
            change(next)
            onAdded(id)
          }}
        />
      )}
      {dialog === 'save' && <SaveEditDialog editing={editing} placed={placed} onSaved={onStep} onClose={close} />}
      {dialog === 'discard' && (
        <ConfirmDialog
          title={text.edit.discard}
          question={text.edit.discardQuestion(size)}
          submit={text.edit.discard}
          onSubmit={() => {
            discard()
            onStep()
            close()
          }}
          onClose={close}
        />
      )}
      {clash && (
        <ClashDialog
          key={clash.chosen.size}
          conflicts={clash.conflicts}
          saves={clash.saves}
          onDecide={(decisions) => {
            decide(decisions)
            onStep()
          }}
        />
      )}
    </Group>
  )
}
