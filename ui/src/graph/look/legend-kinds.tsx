import { Group, Popover, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { OTHER } from '../../../../picture/model/palettes.ts'
import type { Legend } from '../../../../picture/model/scales.ts'
import { countOf, nameOfKind } from '../../../../picture/sheet/legend-rows.ts'
import { useLegendFilter } from '../../filter/use-legend-filter.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'

const ValueStyleForm = lazyComponent('value-style', () => import('./value-style-form.tsx'))

/**
 * The values in a legend. Clicking a colour opens a form for its style, clicking a value hides or shows it, and a last button
 * shows only that value. Elements without a value come last, after the children.
 */
export function LegendKinds({
  view,
  of,
  attribute,
  legend,
  children
}: {
  view: GraphViewState
  of: Elements
  attribute: Attribute
  legend: Legend
  children: ReactNode
}) {
  /** Whether a list in a form is open, which Escape closes first. */
  const [isListOpen, setIsListOpen] = useState(false)
  const filter = useLegendFilter(view, of, attribute)
  const hasCounts = view.view.style?.legend?.counts ?? true
  /** The buttons that hide, show and single out a value. An undefined value stands for elements without one. */
  const buttons = (
    value: string | undefined,
    name: string,
    { count, shown = count }: NonNullable<Legend['missing']>
  ) => {
    const isAlone = filter.isAlone(value)
    return (
      <>
        <UnstyledButton
          className="legend-kind"
          aria-pressed={filter.isShown(value)}
          onClick={() => filter.toggle(value)}
        >
          <Text span size="xs" lineClamp={1} className="breakable legend-name">
            {name}
          </Text>
          {hasCounts && (
            <Text span size="xs" c="dimmed" className="fixed">
              {countOf(shown, count, text.legend, formatNumber)}
            </Text>
          )}
        </UnstyledButton>
        <UnstyledButton
          className="legend-only"
          aria-label={isAlone ? text.legend.showAll(attribute.title) : text.legend.showOnly(name)}
          onClick={() => (isAlone ? filter.showAll() : filter.showOnly(value))}
        >
          {isAlone ? text.legend.all : text.legend.only}
        </UnstyledButton>
      </>
    )
  }
  const kinds = legend.kinds?.map((kind) => {
    const { value, colour, mark } = kind
    const name = nameOfKind(kind, legend.format, text.legend, formatNumber)
    return (
      <Group key={value} gap={4} wrap="nowrap" justify="space-between" className="legend-row">
        <Popover
          withArrow
          trapFocus
          position="top-start"
          shadow="md"
          width={250}
          withinPortal
          closeOnEscape={!isListOpen}
          onClose={() => setIsListOpen(false)}
        >
          <Popover.Target>
            <UnstyledButton className="legend-swatch" aria-label={text.look.valueStyle(name)}>
              <Swatch colour={colour} mark={mark} />
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <ValueStyleForm view={view} of={of} legend={legend} kind={kind} onList={setIsListOpen} />
          </Popover.Dropdown>
        </Popover>
        {buttons(value, name, kind)}
      </Group>
    )
  })
  return (
    <>
      {kinds}
      {children}
      {legend.missing && (
        <Group gap={4} wrap="nowrap" justify="space-between" className="legend-row">
          <div className="legend-swatch">
            <Swatch colour={OTHER} />
          </div>
          {buttons(undefined, text.legend.missing, legend.missing)}
        </Group>
      )}
    </>
  )
}
