import { Group, Title } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useState } from 'react'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { text } from '../text/index.ts'

export const ImportDialog = lazyComponent('import', () => import('./import-dialog.tsx'))

/** Imports files that are dropped anywhere on the page. */
export function FileDrop({ isActive = true }: { isActive?: boolean }) {
  const [files, setFiles] = useState<File[]>()
  return (
    <>
      <Dropzone.FullScreen active={isActive && files === undefined} onDrop={setFiles} activateOnKeyboard={false}>
        <Group justify="center" mih="60vh">
          <Title order={2}>{text.import.drop}</Title>
        </Group>
      </Dropzone.FullScreen>
      {files && <ImportDialog files={files} onClose={() => setFiles(undefined)} />}
    </>
  )
}
