import { Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { isProblem } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { TextBlock } from '../shared/text-block.tsx'
import { formatClock, text } from '../text/index.ts'
import { useProof } from './log.ts'
import { TextTools } from './text-tools.tsx'

/** The number of failed attempts after which to report that the proof is taking longer than usual. */
const MANY = 5

/** Shows whether a checkpoint proves the event, along with the proof. */
export function Proof({ id }: { id: number }) {
  const { data, error, errorUpdateCount, refetch } = useProof(id)
  const isWaiting = isProblem(error, 'not-in-tree-yet')
  return (
    <Stack component="section" gap="xs" mt="lg" aria-labelledby="proof">
      <Title order={3} size="h5" id="proof">
        {text.proof.title}
      </Title>
      <Group role="status" gap="xs" wrap="nowrap" align="start">
        {data && <IconCircleCheck size={18} className="fixed added" aria-hidden />}
        {!data && isWaiting && <IconClock size={18} className="fixed" aria-hidden />}
        <Text component="span" size="sm">
          {data && text.proof.proved(data.checkpoint.size)}
          {!data && isWaiting && (errorUpdateCount < MANY ? text.proof.soon : text.proof.late)}
          {!data && !error && text.proof.looking}
        </Text>
      </Group>
      {!data && error && !isWaiting && <FailureAlert error={error} retry={() => refetch()} />}
      {data && (
        <>
          <Text size="sm" c="dimmed">
            {text.proof.place(data.index, data.hashCount, formatClock(data.checkpoint.lookedAt))}
          </Text>
          <TextBlock label={text.proof.text}>{data.proof}</TextBlock>
          <TextTools value={data.proof} fileName={`event-${id}.tlog-proof`} labels={text.proof} />
        </>
      )}
    </Stack>
  )
}
