import { Button, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useLocation } from 'wouter'
import { Empty, FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { sampleNames, useCreateSample } from './samples.ts'

/**
 * The placeholder for an empty list of graphs. Explains how to import a file, and offers samples that can be created and opened
 * with one click.
 */
export function FirstGraphs({ onImport }: { onImport: () => void }) {
  const [, navigate] = useLocation()
  const create = useCreateSample(({ id }) => navigate(`/graphs/${id}`))
  return (
    <Stack>
      <Empty title={text.graphs.none}>
        <Text c="dimmed">{text.graphs.noneYet}</Text>
        <Button onClick={onImport}>{text.import.open}</Button>
      </Empty>
      <Title order={2} size="h4" ta="center">
        {text.samples.title}
      </Title>
      {create.error && <FailureAlert error={create.error} />}
      <SimpleGrid component="ul" cols={{ base: 1, sm: sampleNames.length }} className="plain-list">
        {sampleNames.map((sample) => {
          const { name, description } = text.samples.graphs[sample]
          return (
            <Card key={sample} component="li" withBorder padding="md">
              <Stack gap="xs" h="100%">
                <Title order={3} size="h5">
                  {name}
                </Title>
                <Text size="sm" c="dimmed" flex={1}>
                  {description}
                </Text>
                <Button
                  variant="default"
                  aria-label={text.samples.create(name)}
                  loading={create.isPending && create.variables === sample}
                  disabled={create.isPending}
                  onClick={() => create.mutate(sample)}
                >
                  {text.samples.open}
                </Button>
              </Stack>
            </Card>
          )
        })}
      </SimpleGrid>
    </Stack>
  )
}
