import { Checkbox, Select, Slider, Text } from '@mantine/core'
import type { Direction } from '../../../picture/layout/layered.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { optionsOf } from '../shared/options.ts'
import { formatNumber, text } from '../text/index.ts'
import type { LayoutChoice } from './choice.ts'
import type { Projection } from './task.ts'

/** The fields for the options of the chosen layout. */
export function ChoiceFields({
  choice,
  attributes,
  onChange
}: {
  choice: LayoutChoice
  attributes: Attribute[]
  onChange: (changes: Partial<LayoutChoice>) => void
}) {
  const numbers = attributes.filter(({ isNumber }) => isNumber)
  const numberFor = (field: 'x' | 'y' | 'longitude' | 'latitude') => (
    <Chooser
      label={text.layout[field]}
      options={choicesOf(numbers)}
      value={choice[field] ?? null}
      onChange={(key) => onChange({ [field]: key })}
    />
  )
  switch (choice.name) {
    case 'force':
      return (
        <>
          <Chooser
            label={text.layout.from}
            options={optionsOf(text.layout.origins)}
            value={choice.keepsPositions ? 'places' : 'scratch'}
            onChange={(origin) => onChange({ keepsPositions: origin === 'places' })}
          />
          <ForceFields forces={choice.forces} onChange={(forces) => onChange({ forces })} />
          <div>
            <Text size="sm" aria-hidden>
              {text.layout.spacing}: {choice.spacing === 0 ? text.layout.overlapping : formatNumber(choice.spacing)}
            </Text>
            <Slider
              thumbLabel={text.layout.spacing}
              max={4}
              step={0.5}
              value={choice.spacing}
              onChange={(spacing) => onChange({ spacing })}
              label={null}
            />
          </div>
        </>
      )
    case 'circular':
    case 'grid':
      return (
        <>
          <Chooser
            label={text.layout.order}
            options={[{ value: '', label: text.layout.fileOrder }, ...choicesOf(attributes)]}
            value={choice.order ?? ''}
            onChange={(key) => onChange({ order: key || undefined })}
          />
          {choice.order !== undefined && (
            <Checkbox
              size="xs"
              label={text.layout.descending}
              checked={choice.isDescending}
              onChange={(event) => onChange({ isDescending: event.currentTarget.checked })}
            />
          )}
        </>
      )
    case 'layered':
      return (
        <Chooser
          label={text.layout.direction}
          options={optionsOf(text.layout.directions)}
          value={choice.direction}
          onChange={(direction) => onChange({ direction: direction as Direction })}
        />
      )
    case 'coordinates':
    case 'map':
      if (numbers.length === 0) return <Text size="sm">{text.layout.noNumbers}</Text>
      return choice.name === 'coordinates' ? (
        <>
          {numberFor('x')}
          {numberFor('y')}
        </>
      ) : (
        <>
          {numberFor('longitude')}
          {numberFor('latitude')}
          <Chooser
            label={text.layout.projection}
            options={optionsOf(text.layout.projections)}
            value={choice.projection}
            onChange={(projection) => onChange({ projection: projection as Projection })}
          />
        </>
      )
  }
}

function ForceFields({
  forces,
  onChange
}: {
  forces: LayoutChoice['forces']
  onChange: (forces: LayoutChoice['forces']) => void
}) {
  return (
    <>
      <div>
        <Text size="sm" aria-hidden>
          {text.layout.gravity}: {formatNumber(forces.gravity)}
        </Text>
        <Slider
          thumbLabel={text.layout.gravity}
          // The scale is logarithmic, from 0.1 to 10.
          min={-1}
          max={1}
          step={0.1}
          value={Math.log10(forces.gravity)}
          scale={(value) => Number((10 ** value).toPrecision(2))}
          onChange={(value) => onChange({ ...forces, gravity: Number((10 ** value).toPrecision(2)) })}
          label={null}
        />
      </div>
      <Checkbox
        size="xs"
        label={text.layout.linLog}
        checked={forces.isLinLog}
        onChange={(event) => onChange({ ...forces, isLinLog: event.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={text.layout.dissuadesHubs}
        checked={forces.dissuadesHubs}
        onChange={(event) => onChange({ ...forces, dissuadesHubs: event.currentTarget.checked })}
      />
    </>
  )
}

interface Option {
  value: string
  label: string
}

function Chooser({
  label,
  options,
  value,
  onChange
}: {
  label: string
  options: Option[]
  value: string | null
  onChange: (value: string) => void
}) {
  return (
    <Select
      label={label}
      size="sm"
      data={options}
      value={value}
      onChange={(key) => onChange(key ?? '')}
      allowDeselect={false}
      searchable={options.length > 8}
      // Not rendered in a portal, because clicking an option there would close the popover.
      comboboxProps={{ withinPortal: false }}
    />
  )
}

function choicesOf(attributes: Attribute[]): Option[] {
  return attributes.map(({ key, title }) => ({ value: key, label: title }))
}
