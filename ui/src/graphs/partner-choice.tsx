import { Select } from '@mantine/core'
import { text } from '../text/index.ts'
import type { Item } from './items.ts'

const NONE = 'none'

/** Chooses the tables to combine a table with. Shows nothing if no others fit. */
export function PartnerChoice({
  partners,
  isDisabled,
  onChoose
}: {
  partners: Item[]
  isDisabled: boolean
  onChoose: (partner: Item) => void
}) {
  if (partners.length === 0) return null
  return (
    <Select
      label={text.import.partner}
      description={text.import.partnerHint}
      data={[
        { value: NONE, label: text.import.noPartner },
        ...partners.map(({ key, file }) => ({ value: String(key), label: file.name }))
      ]}
      value={NONE}
      onChange={(value) => {
        const chosen = partners.find(({ key }) => String(key) === value)
        if (chosen) onChoose(chosen)
      }}
      allowDeselect={false}
      disabled={isDisabled}
      size="sm"
    />
  )
}
