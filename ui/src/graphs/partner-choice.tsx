import { Select } from '@mantine/core'
import { text } from '../text/index.ts'
import type { Item, TableGroup } from './items.ts'

const NONE = 'none'

/** Chooses the tables to combine a table with. Shows nothing if no others fit. */
export function PartnerChoice({
  partners,
  isDisabled,
  onChoose
}: {
  partners: { partner: Item; group: TableGroup }[]
  isDisabled: boolean
  onChoose: (group: TableGroup, partner: Item) => void
}) {
  if (partners.length === 0) return null
  return (
    <Select
      label={text.import.partner}
      description={text.import.partnerHint}
      data={[
        { value: NONE, label: text.import.noPartner },
        ...partners.map(({ partner: { key, file } }) => ({ value: String(key), label: file.name }))
      ]}
      value={NONE}
      onChange={(value) => {
        const chosen = partners.find(({ partner }) => String(partner.key) === value)
        if (chosen) onChoose(chosen.group, chosen.partner)
      }}
      allowDeselect={false}
      disabled={isDisabled}
      size="sm"
    />
  )
}
