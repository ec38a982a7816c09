import { Button, Loader } from '@mantine/core'
import { IconDeviceFloppy, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { text } from '../text/index.ts'
import type { LayoutState } from './use-layout.ts'

/** Starts and stops the layout, and saves it if the user may. */
export function LayoutControls({
  layout: { isRunning, start, stop },
  save,
  isSaving
}: {
  layout: LayoutState
  save: (() => void) | undefined
  isSaving: boolean
}) {
  return (
    <>
      {isRunning ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          rightSection={<Loader size={14} aria-hidden />}
          onClick={stop}
        >
          {text.layout.stop}
        </Button>
      ) : (
        <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={start}>
          {text.layout.start}
        </Button>
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
