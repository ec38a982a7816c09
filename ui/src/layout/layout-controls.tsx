import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDeviceFloppy,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useKeys } from '../shared/use-keys.ts'
import { formatNumber, text } from '../text/index.ts'
import type { Method } from './task.ts'
import type { LayoutState } from './use-layout.ts'

/** Buttons to run, stop, continue, undo and, if permitted, save the layout. */
export function LayoutControls({
  layout: { isRunning, progress, start, stop, resume, undo },
  method,
  isPossible = true,
  options,
  save,
  isSaving = false
}: {
  layout: LayoutState
  /** Returns the layout to run. Absent if the default layout is used. */
  method?: (() => Method | undefined) | undefined
  /** Whether the layout has everything it needs to run. */
  isPossible?: boolean
  /** A button for options, next to the run button. */
  options?: ReactNode
  save?: (() => void) | undefined
  isSaving?: boolean
}) {
  useKeys(undo && !isRunning ? [['mod+Z', undo]] : [])
  const [hasRun, setHasRun] = useState(false)
  if (isRunning && !hasRun) setHasRun(true)
  return (
    <>
      <div className="visually-hidden" role="status">
        {hasRun && !isRunning && text.layout.finished}
      </div>
      <Button.Group>
        {isRunning ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            rightSection={
              progress > 0 ? (
                <span aria-hidden>{text.layout.progress(formatNumber(progress * 100))}</span>
              ) : (
                <Loader size={14} aria-hidden />
              )
            }
            onClick={stop}
          >
            {text.layout.stop}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={!isPossible}
            onClick={() => start(method?.())}
          >
            {text.layout.start}
          </Button>
        )}
        {options}
      </Button.Group>
      {resume && !isRunning && (
        <Tooltip label={text.layout.unsettled}>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
            onClick={resume}
          >
            {text.layout.resume}
          </Button>
        </Tooltip>
      )}
      {undo && !isRunning && (
        <Tooltip label={text.layout.undo}>
          <ActionIcon variant="default" size={30} aria-label={text.layout.undo} onClick={undo}>
            <IconArrowBackUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {save && !isRunning && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          loading={isSaving}
          onClick={save}
        >
          {text.layout.save}
        </Button>
      )}
    </>
  )
}
