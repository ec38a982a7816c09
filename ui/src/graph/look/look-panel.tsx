import { Stack, Title } from '@mantine/core'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { isLarge } from '../network/network.ts'
import { AttributeChoice, NONE } from './attribute-choice.tsx'

/** Fields for choosing the attributes that colour, size and label nodes and edges. */
export function LookPanel() {
  const { view, network, nodes, edges, look, change: onChange } = useGraphContext().view
  const { edgeAmounts, edgeTexts, colour, size, edgeColour, edgeSize, edgeLabel } = look
  const own = nodes.filter(({ isAmount }) => !isAmount)
  return (
    <Stack gap="sm" component="section" aria-label={text.look.title}>
      <Title order={2} size="h5">
        {text.look.title}
      </Title>
      <AttributeChoice
        label={text.look.colour}
        attributes={nodes}
        value={colour?.key ?? NONE}
        onChange={(value) => onChange({ colour: value })}
      />
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
      {edges.length > 0 && (
        <AttributeChoice
          label={text.look.edgeColour}
          attributes={edges}
          value={edgeColour?.key ?? NONE}
          onChange={(value) => onChange({ edgeColour: value })}
        />
      )}
      {network.edges.length > 0 && (
        <AttributeChoice
          label={text.look.edgeSize}
          attributes={edgeAmounts}
          unavailable={edgeAmounts.length > 0 ? undefined : isLarge(network) ? text.look.tooLarge : text.look.noNumbers}
          value={edgeSize?.key ?? NONE}
          onChange={(value) => onChange({ edgeSize: value })}
        />
      )}
      {edgeTexts.length > 0 && (
        <AttributeChoice
          label={text.look.edgeLabel}
          attributes={edgeTexts}
          value={edgeLabel?.key ?? NONE}
          onChange={(value) => onChange({ edgeLabel: value === NONE ? undefined : value })}
        />
      )}
    </Stack>
  )
}
