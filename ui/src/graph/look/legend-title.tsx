import { Popover, Text, UnstyledButton } from '@mantine/core'
import type { Legend } from '../../../../picture/model/scales.ts'
import { elementsOf, type LegendPart, titleOfPart } from '../../../../picture/sheet/legend-rows.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { text } from '../../text/index.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'

const LegendTitleForm = lazyComponent('legend-title', () => import('./legend-title-form.tsx'))

/** The title of a part of the legend. Clicking it opens a form that changes it. */
export function LegendTitle({ view, part, legend }: { view: GraphViewState; part: LegendPart; legend: Legend }) {
  const title = titleOfPart(part, legend, view.view.style, text.legend)
  return (
    <Popover withArrow trapFocus position="top-start" shadow="md" width={250} withinPortal>
      <Popover.Target>
        <UnstyledButton className="legend-title" aria-label={text.look.editTitle(title)}>
          <Text span size="xs" fw={700} className="breakable">
            {title}
          </Text>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <LegendTitleForm
          view={view}
          of={elementsOf(part)}
          attribute={legend.key}
          usual={titleOfPart(part, legend, undefined, text.legend)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
