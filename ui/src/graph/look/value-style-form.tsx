import { ActionIcon, Button, ColorSwatch, Group, Select, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { categoricalNamed, palette } from '../../../../picture/model/palettes.ts'
import type { Legend, LegendKind } from '../../../../picture/model/scales.ts'
import { lineStyles, shapes } from '../../../../picture/model/shapes.ts'
import { nameOfKind } from '../../../../picture/sheet/legend-rows.ts'
import { formatNumber, text } from '../../text/index.ts'
import { isLarge } from '../network/network.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { ColourField } from './colour-field.tsx'
import { NameField } from './name-field.tsx'
import { useStyle } from './use-style.ts'
import type { ValueChange } from './value-style.ts'

/** The form for the colour, name, shape and place of a value in a legend. */
export default function ValueStyleForm({
  view,
  of,
  legend,
  kind: { value, name = '', colour, mark },
  onList
}: {
  view: GraphViewState
  of: Elements
  legend: Legend
  kind: LegendKind
  /** Called when a list opens or closes. */
  onList: (isOpen: boolean) => void
}) {
  const { style, setValue } = useStyle(view)
  const set = (changes: ValueChange) => setValue(of, legend, value, changes)
  const values = (legend.kinds ?? []).map((kind) => kind.value)
  const place = values.indexOf(value)
  const marks: readonly string[] = of === 'nodes' ? shapes : lineStyles
  return (
    <Stack gap="xs">
      <NameField
        label={text.look.valueName}
        placeholder={nameOfKind({ value }, legend.format, text.legend, formatNumber)}
        name={name}
        onChange={(name) => set({ name })}
      />
      <Group gap={4} role="group" aria-label={text.look.valueColours}>
        {(categoricalNamed(style?.[of]?.palette) ?? palette).map((sample) => (
          <UnstyledButton
            key={sample}
            aria-label={sample}
            aria-pressed={sample === colour}
            onClick={() => set({ colour: sample })}
          >
            <ColorSwatch color={sample} size={24} withShadow={sample === colour} />
          </UnstyledButton>
        ))}
      </Group>
      <Group gap="xs" wrap="nowrap" align="end">
        <ColourField
          label={text.look.valueColour}
          pickLabel={text.look.pickColour}
          colour={colour}
          onChange={(colour) => set({ colour })}
        />
        <Button
          variant="default"
          size="xs"
          className="fixed"
          disabled={!Object.hasOwn(style?.[of]?.colours ?? {}, value)}
          onClick={() => set({ colour: '' })}
        >
          {text.look.resetColour}
        </Button>
      </Group>
      {!isLarge(view.network) && (
        <Select
          label={of === 'nodes' ? text.look.shape : text.look.line}
          size="xs"
          data={marks.map((mark) => ({ value: mark, label: text.look.marks[mark] ?? mark }))}
          value={mark ?? marks[0] ?? null}
          onChange={(chosen) => set({ mark: chosen === marks[0] || chosen === null ? '' : chosen })}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onDropdownOpen={() => onList(true)}
          onDropdownClose={() => onList(false)}
        />
      )}
      <Group gap="xs">
        <MoveButton label={text.look.moveUp} Icon={IconArrowUp} act={place > 0 && (() => set({ move: -1 }))} />
        <MoveButton
          label={text.look.moveDown}
          Icon={IconArrowDown}
          act={place < values.length - 1 && (() => set({ move: 1 }))}
        />
        <Text size="xs" c="dimmed" role="status">
          {text.look.place(place + 1, values.length)}
        </Text>
      </Group>
    </Stack>
  )
}

/** A button that stays focused even if the value cannot move any further. */
function MoveButton({ label, Icon, act }: { label: string; Icon: typeof IconArrowUp; act: (() => void) | false }) {
  return (
    <ActionIcon variant="default" aria-label={label} aria-disabled={!act} onClick={act || undefined}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
