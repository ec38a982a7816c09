import { Alert, Badge, Box, Group, List, Text } from '@mantine/core'
import type { ImportReport } from '../api.ts'
import { FaultList } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'

/** The loss that is counted if the header or the columns of a table were guessed. */
const GUESS = 'header-guessed'

/** Shows the contents and errors of a file, and what the import would lose. */
export function Report({ report }: { report: ImportReport }) {
  const { format, version, nodeCount, edgeCount, valid, faultCount, faults } = report
  // A guess changes nothing.
  const losses = report.losses.filter(({ code }) => code !== GUESS)
  const isGuessed = losses.length < report.losses.length
  const isUnclear = faultCount > 0 && faults.every(({ code }) => code === 'ends-unclear')
  const proposed = isUnclear ? report.table?.idColumn : undefined
  return (
    <>
      <Group gap="xs">
        <Badge variant="default">{[format, version].filter(Boolean).join(' ')}</Badge>
        <Text size="sm">{text.counts(nodeCount, edgeCount)}</Text>
      </Group>
      {isUnclear && (
        <Alert color="blue" title={text.import.unclear}>
          {proposed ? <Text size="sm">{text.import.mayBeNodes(proposed)}</Text> : <FaultList faults={faults} />}
        </Alert>
      )}
      {faultCount > 0 && !isUnclear && (
        <Alert color={valid ? 'yellow' : 'red'} title={(valid ? text.import.leftOut : text.import.faults)(faultCount)}>
          <Box mah={220} className="scrolling" tabIndex={0}>
            <FaultList faults={faults} />
          </Box>
        </Alert>
      )}
      {isGuessed && !isUnclear && (
        <Alert color="yellow" p="xs">
          {text.import.guessed}
        </Alert>
      )}
      {losses.length > 0 && !isUnclear && (
        <Alert color="yellow" title={text.import.losses}>
          <List size="sm">
            {losses.map(({ code, count, detail }) => (
              <List.Item key={code}>
                {formatNumber(count)} × {detail}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {faultCount === 0 && losses.length === 0 && (
        <Text size="sm" className="added">
          {text.import.noLosses}
        </Text>
      )}
    </>
  )
}
