import { ActionIcon, Tooltip } from '@mantine/core'
import {
  type Icon,
  IconFocusCentered,
  IconLassoPolygon,
  IconMinus,
  IconPlus,
  IconVectorSpline
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import { text } from '../../text/index.ts'
import type { Drawing } from './drawing.ts'
import type { Gesture } from './mouse.ts'

const icons = { lasso: IconLassoPolygon, connect: IconVectorSpline }

/** The buttons beside a drawing: what a drag does, and the zoom. */
export function DrawingControls({
  drawing,
  gestures,
  gesture,
  onGesture
}: {
  drawing: RefObject<Drawing | null>
  /** The available gestures. */
  gestures: Gesture[]
  /** The gesture of a plain drag. */
  gesture: Gesture | undefined
  onGesture: (gesture: Gesture | undefined) => void
}) {
  const controls: { label: string; Icon: Icon; act: () => void; isPressed?: boolean }[] = [
    ...gestures.map((name) => ({
      label: text.drawing.gestures[name],
      Icon: icons[name],
      act: () => onGesture(name === gesture ? undefined : name),
      isPressed: name === gesture
    })),
    { label: text.drawing.zoomIn, Icon: IconPlus, act: () => drawing.current?.zoom(1.5) },
    { label: text.drawing.zoomOut, Icon: IconMinus, act: () => drawing.current?.zoom(1 / 1.5) },
    { label: text.drawing.fit, Icon: IconFocusCentered, act: () => drawing.current?.fit() }
  ]
  return (
    <div className="drawing-controls">
      {controls.map(({ label, Icon, act, isPressed }) => (
        <Tooltip key={label} label={label} position="left">
          <ActionIcon
            variant={isPressed ? 'filled' : 'default'}
            size="lg"
            aria-label={label}
            aria-pressed={isPressed}
            onClick={act}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
}
