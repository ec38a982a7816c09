import { Button, CloseButton, Group, Text } from '@mantine/core'
import { formatNumber, text } from '../text/index.ts'

export interface SelectionAction {
  label: string
  onClick: () => void
  disabled?: boolean
  /** The reason why the action is disabled. */
  title?: string | undefined
}

/** The number of selected elements, with buttons for what can be done with them. */
export function SelectionBar({
  title,
  count,
  actions,
  className,
  onClear
}: {
  title: string
  count: number
  actions: SelectionAction[]
  className?: string | undefined
  onClear: () => void
}) {
  return (
    <Group className={className} gap={6} role="toolbar" aria-label={title}>
      <Text size="sm" fw={600} role="status" px={4}>
        {text.table.selected(formatNumber(count))}
      </Text>
      {actions.map(({ label, disabled = false, ...action }) => (
        <Button key={label} size="compact-sm" variant="default" {...action} disabled={disabled || count === 0}>
          {label}
        </Button>
      ))}
      {count > 0 && <CloseButton size="sm" aria-label={text.marks.clear} onClick={onClear} />}
    </Group>
  )
}
