import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { formatNumber, text } from '../text/index.ts'
import { type Legend, OTHER } from './scales.ts'

/** The meaning of colours and sizes. A click on a value shows it alone. */
export function Legends({
  colour,
  edgeColour,
  size,
  edgeSize,
  onKind
}: {
  colour: Legend | undefined
  edgeColour: Legend | undefined
  size: Legend | undefined
  edgeSize: Legend | undefined
  onKind: (value: string) => void
}) {
  if (!colour && !edgeColour && !size && !edgeSize) return null
  return (
    <Paper withBorder p="xs" className="drawing-legend" component="section" aria-label={text.legend.title} tabIndex={0}>
      <Stack gap="xs">
        {colour && <LegendOf legend={colour} onKind={onKind} />}
        {edgeColour && <LegendOf legend={{ ...edgeColour, title: text.legend.edges(edgeColour.title) }} />}
        {size?.range && (
          <Text size="xs">
            {text.legend.size(size.title, formatNumber(size.range.least), formatNumber(size.range.greatest))}
          </Text>
        )}
        {edgeSize?.range && (
          <Text size="xs">
            {text.legend.edgeSize(
              edgeSize.title,
              formatNumber(edgeSize.range.least),
              formatNumber(edgeSize.range.greatest)
            )}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function LegendOf({ legend, onKind }: { legend: Legend; onKind?: (value: string) => void }) {
  const { title, kinds, others = 0, range } = legend
  return (
    <div>
      <Text size="xs" fw={700} className="breakable">
        {title}
      </Text>
      {kinds?.map((kind) =>
        onKind ? (
          <UnstyledButton
            key={kind.value}
            className="legend-kind"
            onClick={() => onKind(kind.value)}
            title={text.legend.showOnly(kind.value)}
          >
            <Kind {...kind} />
          </UnstyledButton>
        ) : (
          <Kind key={kind.value} {...kind} />
        )
      )}
      {others > 0 && (
        <Group gap={6} wrap="nowrap">
          <Swatch colour={OTHER} />
          <Text size="xs">{text.legend.others(formatNumber(others))}</Text>
        </Group>
      )}
      {range?.ramp && (
        <>
          <div className="ramp" style={{ background: `linear-gradient(to right, ${range.ramp.join(', ')})` }} />
          <Group justify="space-between" gap="xs">
            <Text size="xs">{formatNumber(range.least)}</Text>
            <Text size="xs">{formatNumber(range.greatest)}</Text>
          </Group>
        </>
      )}
    </div>
  )
}

function Kind({ value, colour, count }: { value: string; colour: string; count: number }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Swatch colour={colour} />
      <Text size="xs" lineClamp={1} className="breakable">
        {value.trim() ? value : text.legend.blank}
      </Text>
      <Text size="xs" c="dimmed">
        {text.legend.count(formatNumber(count))}
      </Text>
    </Group>
  )
}

function Swatch({ colour }: { colour: string }) {
  return <span className="swatch" style={{ background: colour }} />
}
