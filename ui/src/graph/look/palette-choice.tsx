import { Group, Select, Text } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { categoricalNamed, palettes, ramp, rampNamed } from '../../../../picture/model/palettes.ts'
import { colourScale, scaleOf } from '../../../../picture/model/scales.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { text } from '../../text/index.ts'
import { hexOf } from '../drawing/css-colours.ts'
import { useGraphContext } from '../graph-context.ts'
import type { Attribute } from '../network/attributes.ts'
import { useStyle } from './use-style.ts'

const ramps = [...Object.keys(palettes.sequential), ...Object.keys(palettes.diverging)]

/** The option for colours that the user chooses. */
const GRADIENT = 'gradient'

const GradientFields = lazyComponent('gradient', () => import('./gradient-fields.tsx'))

/** Selects the palette for the values of an attribute. */
export function PaletteChoice({ of, attribute }: { of: Elements; attribute: Attribute }) {
  const { view } = useGraphContext()
  const { style, setPalette, setGradient } = useStyle(view)
  const count = view.network[of].length
  const own = style?.[of]
  const isByKind = scaleOf(attribute, count, own?.scale) === 'categories'
  const names = isByKind ? [...Object.keys(palettes.categorical), ...ramps] : ramps
  const [usual = ''] = names
  const chosen = own?.gradient ? GRADIENT : own?.palette && names.includes(own.palette) ? own.palette : usual
  const ends = own?.gradient ?? [ramp[0] ?? '', ramp.at(-1) ?? '']
  const choose = (name: string | null) => {
    if (name === GRADIENT) return setGradient(of, ends)
    const palette = name === null || name === usual ? undefined : name
    const style = { ...own, palette, gradient: undefined, paletteColours: undefined }
    setPalette(of, palette, colourScale(attribute, count, hexOf, style).legend)
  }
  const select = (
    <Select
      label={text.look.palette[of]}
      size="sm"
      data={[...names, GRADIENT].map((value) => ({ value, label: text.look.palettes[value] ?? value }))}
      value={chosen}
      onChange={choose}
      allowDeselect={false}
      leftSection={<Colours name={chosen} own={ends} />}
      leftSectionWidth={76}
      leftSectionPointerEvents="none"
      comboboxProps={{ withinPortal: true }}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <Colours name={option.value} own={ends} />
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {noteOf(option.value)}
            </Text>
          </div>
        </Group>
      )}
    />
  )
  if (!own?.gradient) return select
  return (
    <>
      {select}
      <GradientFields of={of} colours={own.gradient} onChange={(colours) => setGradient(of, colours)} />
    </>
  )
}

/** Says how many colours a palette has, and that the colour-blind can tell them apart. */
function noteOf(name: string) {
  if (name === GRADIENT) return text.look.ownGradient
  const own = new Map<string, readonly string[]>(Object.entries(palettes.categorical)).get(name)
  return own ? text.look.coloursIn(own.length, (categoricalNamed(name)?.length ?? 0) - own.length) : text.look.gradient
}

/** A sample of a palette's colours. */
function Colours({ name, own }: { name: string; own: readonly string[] }) {
  const ramp = name === GRADIENT ? own : rampNamed(name)
  const colours = categoricalNamed(name) ?? ramp ?? []
  const stops = ramp
    ? colours
    : colours.flatMap((colour, index) => [
        `${colour} ${(index / colours.length) * 100}%`,
        `${colour} ${((index + 1) / colours.length) * 100}%`
      ])
  return <span className="palette" style={{ background: `linear-gradient(to right, ${stops.join(', ')})` }} />
}
