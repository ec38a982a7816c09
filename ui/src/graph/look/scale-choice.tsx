import { Select } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { scaleNames } from '../../../../picture/model/number-scales.ts'
import { scaleOf } from '../../../../picture/model/scales.ts'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import type { Attribute } from '../network/attributes.ts'
import { useStyle } from './use-style.ts'

/** Selects how the colours follow from the numbers of an attribute. */
export function ScaleChoice({ of, attribute }: { of: Elements; attribute: Attribute }) {
  const { view } = useGraphContext()
  const { style, setScale } = useStyle(view)
  const usual = scaleOf(attribute, view.network[of].length)
  return (
    <Select
      label={text.look.scale[of]}
      size="sm"
      data={scaleNames.map((value) => {
        const label = text.look.scales[value]
        return { value, label: value === usual ? text.look.usual(label) : label }
      })}
      value={style?.[of]?.scale ?? usual}
      onChange={(name) => {
        const scale = scaleNames.find((value) => value === name)
        setScale(of, scale === usual ? undefined : scale)
      }}
      allowDeselect={false}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
