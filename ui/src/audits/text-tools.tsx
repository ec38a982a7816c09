import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyButton } from '../shared/copy-button.tsx'
import { saveFile } from '../shared/save-file.ts'
import { text } from '../text/index.ts'

type Labels = Record<'copy' | 'download', string>

/** Buttons to copy or download text. */
export function TextTools({ value, fileName, labels }: { value: string; fileName: string; labels: Labels }) {
  return (
    <Group gap="xs">
      <CopyButton value={value} label={labels.copy} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={labels.download}
        onClick={() => saveFile(new Blob([value]), fileName)}
      >
        {text.download.title}
      </Button>
    </Group>
  )
}
