import { Button } from '@mantine/core'
import { IconPin, IconPinnedOff } from '@tabler/icons-react'
import { formatNumber, text } from '../text/index.ts'
import type { Pins } from './use-pins.ts'

/** A button to pin or unpin a node. */
export function PinButton({ pins: { pinned, toggle }, node }: { pins: Pins; node: number }) {
  const isPinned = pinned.has(node)
  const Icon = isPinned ? IconPinnedOff : IconPin
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={16} aria-hidden />}
      title={text.pins.hint}
      onClick={() => toggle(node)}
    >
      {isPinned ? text.pins.unpin : text.pins.pin}
    </Button>
  )
}

/** A button to unpin all nodes, if any are pinned. */
export function UnpinAllButton({ pins: { pinned, clear } }: { pins: Pins }) {
  if (pinned.size === 0) return null
  return (
    <Button size="xs" variant="default" leftSection={<IconPinnedOff size={16} aria-hidden />} onClick={clear}>
      {text.pins.unpinAll(formatNumber(pinned.size))}
    </Button>
  )
}
