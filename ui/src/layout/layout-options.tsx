import { Button, Popover, Radio, Stack, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'
import { type LayoutChoice, type LayoutName, layoutNames } from './choice.ts'
import { ChoiceFields } from './choice-fields.tsx'

/** Fields to choose a layout and its options. */
export function LayoutOptions({
  choice,
  attributes,
  onChange,
  onStart,
  onRestore
}: {
  choice: LayoutChoice
  /** The node attributes. */
  attributes: Attribute[]
  onChange: (choice: LayoutChoice) => void
  /** Runs the layout. Absent while an attribute is missing. */
  onStart: (() => void) | undefined
  /** Restores the stored positions. Absent if they are shown. */
  onRestore: (() => void) | undefined
}) {
  return (
    <Popover width={320} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" px={6} aria-label={text.layout.options}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="scrolling" mah="70vh">
        <Stack gap="sm">
          <Radio.Group
            label={text.layout.name}
            value={choice.name}
            onChange={(name) => onChange({ ...choice, name: name as LayoutName })}
          >
            <Stack gap={6} mt={4}>
              {layoutNames.map((name) => (
                <Radio key={name} size="xs" value={name} label={text.layout.names[name]} />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="xs">{text.layout.hints[choice.name]}</Text>
          <ChoiceFields choice={choice} attributes={attributes} onChange={(some) => onChange({ ...choice, ...some })} />
          <Button size="xs" disabled={!onStart} onClick={onStart}>
            {text.layout.start}
          </Button>
          {onRestore && (
            <Button size="xs" variant="default" onClick={onRestore}>
              {text.layout.restore}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
