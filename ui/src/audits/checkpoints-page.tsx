import { Anchor, Container, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isProblem } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { TextBlock } from '../shared/text-block.tsx'
import { useTitle } from '../shared/title.ts'
import { formatClock, text } from '../text/index.ts'
import { checkpointFileName, useCheckpoint, useVerifierKey } from './log.ts'
import { TextTools } from './text-tools.tsx'

/** Explains why to keep checkpoints and how to verify one. */
export default function CheckpointsPage() {
  useTitle(text.checkpoint.title)
  const checkpoint = useCheckpoint()
  const key = useVerifierKey()
  const error = checkpoint.error ?? key.error
  return (
    <Container size="sm" py="lg">
      <Anchor component={Link} href="/audits" size="sm">
        {text.checkpoint.back}
      </Anchor>
      <Title order={1} size="h2" mb="md">
        {text.checkpoint.title}
      </Title>
      <Stack gap="lg">
        <Stack component="section" gap="xs" aria-label={text.checkpoint.why}>
          {text.checkpoint.sentences.map((sentence) => (
            <Text key={sentence}>{sentence}</Text>
          ))}
        </Stack>
        {isProblem(error, 'not-ready') && <Text role="status">{text.checkpoint.none}</Text>}
        {error && !isProblem(error, 'not-ready') && (
          <FailureAlert error={error} retry={() => Promise.all([checkpoint.refetch(), key.refetch()])} />
        )}
        {!error && !(checkpoint.data && key.data) && <Loading label={text.checkpoint.looking} />}
        {checkpoint.data && (
          <Part
            title={text.checkpoint.last}
            hint={text.checkpoint.details(checkpoint.data.size, formatClock(checkpoint.data.lookedAt))}
            value={checkpoint.data.note}
            tools={
              <TextTools
                value={checkpoint.data.note}
                fileName={checkpointFileName(checkpoint.data.size)}
                labels={text.checkpoint}
              />
            }
          />
        )}
        {key.data && (
          <Part
            title={text.checkpoint.key}
            hint={text.checkpoint.keyHint}
            value={key.data}
            isWrapped
            tools={<CopyButton value={key.data} label={text.checkpoint.copyKey} />}
          />
        )}
        {checkpoint.data && key.data && <Command size={checkpoint.data.size} verifierKey={key.data} />}
        <Text size="sm">
          {text.checkpoint.manual}{' '}
          <Anchor href="/docs#/audits" underline="always">
            {text.checkpoint.docs}
          </Anchor>
        </Text>
      </Stack>
    </Container>
  )
}

/** Shows the command that verifies the server against a stored checkpoint of this size. */
function Command({ size, verifierKey }: { size: number; verifierKey: string }) {
  const command = `graphstead audit verify ${location.origin} --key ${verifierKey} --kept ${checkpointFileName(size)}`
  return (
    <Part
      title={text.checkpoint.command}
      hint={text.checkpoint.commandHint}
      value={command}
      isWrapped
      tools={<CopyButton value={command} label={text.checkpoint.copyCommand} />}
    />
  )
}

/** Text with buttons to copy and download it. */
function Part({
  title,
  hint,
  value,
  isWrapped = false,
  tools
}: {
  title: string
  hint: string
  value: string
  isWrapped?: boolean
  tools: ReactNode
}) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {tools}
      </Group>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <TextBlock label={title} isWrapped={isWrapped}>
        {value}
      </TextBlock>
    </Stack>
  )
}
