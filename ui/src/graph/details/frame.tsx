import { Badge, CloseButton, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../../text/index.ts'

/** The frame around an element's details: its name, its kind, and a close button. */
export function DetailsFrame({
  title,
  kind,
  onClose,
  children
}: {
  title: string
  kind: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Stack gap="sm" component="section" aria-label={text.details.title} className="details">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Title order={2} size="h5" className="breakable">
            {title}
          </Title>
          <Badge variant="default" size="sm">
            {kind}
          </Badge>
        </div>
        <CloseButton aria-label={text.details.close} onClick={onClose} />
      </Group>
      {children}
    </Stack>
  )
}
