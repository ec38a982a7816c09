import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyButton } from '../shared/copy-button.tsx'
import { saveFile } from '../shared/save-file.ts'
import { text } from '../text/index.ts'

type Words = Record<'copy' | 'download', string>

/** Copies a text, and saves it as a file. */
export function TextTools({ value, fileName, words }: { value: string; fileName: string; words: Words }) {
  return (
    <Group gap="xs">
      <CopyButton value={value} label={words.copy} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={words.download}
        onClick={() => saveFile(new Blob([value]), fileName)}
      >
        {text.download.title}
      </Button>
    </Group>
  )
}
