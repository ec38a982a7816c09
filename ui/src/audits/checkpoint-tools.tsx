import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyButton } from '../shared/copy-button.tsx'
import { saveFile } from '../shared/save-file.ts'
import { text } from '../text/index.ts'
import type { Checkpoint } from './log.ts'

/** Copies the checkpoint, and saves it as a file. */
export function CheckpointTools({ checkpoint: { note, size } }: { checkpoint: Checkpoint }) {
  return (
    <Group gap="xs">
      <CopyButton value={note} label={text.checkpoint.copy} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={text.checkpoint.download}
        onClick={() => saveFile(new Blob([note]), fileNameOf(size))}
      >
        {text.download.title}
      </Button>
    </Group>
  )
}

/** The name of the file with the checkpoint of this size. */
export function fileNameOf(size: number) {
  return `checkpoint-${size}.txt`
}
