import { Button, Group, Text } from '@mantine/core'
import { getHotkeyHandler, useWindowEvent } from '@mantine/hooks'
import { isTyping } from '../../shared/use-keys.ts'
import { text } from '../../text/index.ts'

/** The number of hidden nodes, with a button that shows them again. Ctrl+Z does the same before it undoes an edit. */
export function HiddenNotice({ count, onUndo }: { count: number; onUndo: () => void }) {
  const onKey = getHotkeyHandler([
    [
      'mod+Z',
      (event) => {
        event.stopPropagation()
        onUndo()
      }
    ]
  ])
  useWindowEvent(
    'keydown',
    (event) => {
      if (!isTyping(event)) onKey(event)
    },
    { capture: true }
  )
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{text.marks.hidden(count)}</Text>
      <Button size="compact-sm" variant="default" className="fixed" onClick={onUndo}>
        {text.undo}
      </Button>
    </Group>
  )
}
