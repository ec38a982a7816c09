import { Button, Stack, Title } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Legend } from '../../../../picture/model/scales.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import type { Attribute } from '../network/attributes.ts'
import { isLarge } from '../network/network.ts'
import { AttributeChoice, NONE } from './attribute-choice.tsx'
import { PaletteChoice } from './palette-choice.tsx'
import { ScaleChoice } from './scale-choice.tsx'

const StyleFields = lazyComponent('style', () => import('./style-fields.tsx'))

/** Fields for choosing the attributes that colour, size and label nodes and edges, and their style. */
export function LookPanel() {
  const { view, network, nodes, edges, look, change: onChange } = useGraphContext().view
  const { edgeAmounts, edgeTexts, colour, size, edgeColour, edgeSize, edgeLabel, legends } = look
  const [isMore, setIsMore] = useState(false)
  const own = nodes.filter(({ isAmount }) => !isAmount)
  return (
    <Stack gap="sm" component="section" aria-label={text.look.title}>
      <Title order={2} size="h5">
        {text.look.title}
      </Title>
      <AttributeChoice
        label={text.look.colour}
        attributes={titledAs(legends.colour, nodes)}
        value={colour?.key ?? NONE}
        onChange={(value) => onChange({ colour: value })}
      />
      {colour && <PaletteChoice of="nodes" attribute={colour} />}
      {colour?.isNumber && <ScaleChoice of="nodes" attribute={colour} />}
      <AttributeChoice
        label={text.look.size}
        attributes={nodes.filter(({ isNumber }) => isNumber)}
        value={size?.key ?? NONE}
        onChange={(value) => onChange({ size: value })}
      />
      {own.length > 0 && (
        <AttributeChoice
          label={text.look.label}
          attributes={own}
          none={text.attributes.label}
          value={own.some(({ key }) => key === view.label) ? (view.label ?? NONE) : NONE}
          onChange={(value) => onChange({ label: value === NONE ? undefined : value })}
        />
      )}
      {network.edges.length > 0 && (
        <AttributeChoice
          label={text.look.edgeColour}
          attributes={titledAs(legends.edgeColour, edges)}
          unavailable={edges.length > 0 ? undefined : text.look.noAttributes}
          value={edgeColour?.key ?? NONE}
          onChange={(value) => onChange({ edgeColour: value })}
        />
      )}
      {edgeColour && <PaletteChoice of="edges" attribute={edgeColour} />}
      {edgeColour?.isNumber && <ScaleChoice of="edges" attribute={edgeColour} />}
      {network.edges.length > 0 && (
        <AttributeChoice
          label={text.look.edgeSize}
          attributes={edgeAmounts}
          unavailable={edgeAmounts.length > 0 ? undefined : isLarge(network) ? text.look.tooLarge : text.look.noNumbers}
          value={edgeSize?.key ?? NONE}
          onChange={(value) => onChange({ edgeSize: value })}
        />
      )}
      {network.edges.length > 0 && (
        <AttributeChoice
          label={text.look.edgeLabel}
          attributes={edgeTexts}
          unavailable={
            edgeTexts.length > 0 ? undefined : isLarge(network) ? text.look.tooLarge : text.look.noAttributes
          }
          value={edgeLabel?.key ?? NONE}
          onChange={(value) => onChange({ edgeLabel: value === NONE ? undefined : value })}
        />
      )}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isMore}
          onClick={() => setIsMore(!isMore)}
          rightSection={isMore ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
        >
          {text.look.more}
        </Button>
        {isMore && <StyleFields />}
      </div>
    </Stack>
  )
}

/** Returns the attributes. If the legend has another title for its attribute, that title comes first. */
function titledAs(legend: Legend | undefined, attributes: Attribute[]): Attribute[] {
  return attributes.map((attribute) => {
    const isOther = legend?.key === attribute.key && legend.title !== attribute.title
    return isOther ? { ...attribute, title: `${legend.title} (${attribute.title})` } : attribute
  })
}
