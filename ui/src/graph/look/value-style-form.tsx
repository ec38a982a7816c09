import { ActionIcon, Button, ColorSwatch, Group, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { categoricalNamed, palette } from '../../../../picture/model/palettes.ts'
import type { Legend, LegendKind } from '../../../../picture/model/scales.ts'
import { lineStyles, shapes } from '../../../../picture/model/shapes.ts'
import { nameOfKind } from '../../../../picture/sheet/legend-rows.ts'
import { formatNumber, text } from '../../text/index.ts'
import { isLarge } from '../network/network.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { NameField } from './name-field.tsx'
import { useStyle } from './use-style.ts'
import type { ValueChange } from './value-style.ts'

const SIX_DIGITS = /^#[0-9a-f]{6}$/i

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
  const [edited, setEdited] = useState<string>()
  const typed = edited ?? colour
  const values = (legend.kinds ?? []).map((kind) => kind.value)
  const place = values.indexOf(value)
  const marks: readonly string[] = of === 'nodes' ? shapes : lineStyles
  const choose = (colour: string) => {
    setEdited(colour)
    if (SIX_DIGITS.test(colour)) set({ colour: colour.toLowerCase() })
  }
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
            onClick={() => choose(sample)}
          >
            <ColorSwatch color={sample} size={24} withShadow={sample === colour} />
          </UnstyledButton>
        ))}
      </Group>
      <Group gap="xs" wrap="nowrap" align="end">
        <TextInput
          label={text.look.valueColour}
          size="xs"
          maxLength={7}
          value={typed}
          error={!SIX_DIGITS.test(typed)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <input
          type="color"
          className="colour-well"
          aria-label={text.look.pickColour}
          value={SIX_DIGITS.test(typed) ? typed : colour}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <Button
          variant="default"
          size="xs"
          className="fixed"
          disabled={!Object.hasOwn(style?.[of]?.colours ?? {}, value)}
          onClick={() => {
            setEdited(undefined)
            set({ colour: '' })
          }}
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
