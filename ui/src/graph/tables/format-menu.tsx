import { Menu, Text } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { type NumberFormat, numberFormats } from '../../../../picture/model/number-formats.ts'
import { entriesOf } from '../../../../picture/model/value-colours.ts'
import { formatNumber, text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { useStyle } from '../look/use-style.ts'
import type { Attribute } from '../network/attributes.ts'

/** The number with which the menu shows each format. */
const SAMPLE = 1234.5678

/** A column of numbers whose format is to be chosen, and the button that was pressed. */
export interface FormattedColumn {
  attribute: Attribute
  button: HTMLElement
}

/** A menu below the button of a column with the formats of its numbers. */
export function FormatMenu({
  of,
  attribute,
  button,
  onClose
}: FormattedColumn & { of: Elements; onClose: () => void }) {
  const { style, setFormat } = useStyle(useGraphContext().view)
  const { left, bottom } = button.getBoundingClientRect()
  const close = () => {
    onClose()
    button.focus()
  }
  return (
    <Menu
      opened
      position="bottom-start"
      onClose={close}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button
          type="button"
          className="menu-place"
          style={{ position: 'fixed', left, top: bottom }}
          tabIndex={-1}
          aria-label={text.table.format(attribute.title)}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={text.table.format(attribute.title)} mah="70vh" className="scrolling">
        <Menu.RadioGroup
          value={entriesOf(style?.[of]?.formats).get(attribute.key) ?? ''}
          onChange={(format) => setFormat(of, attribute.key, format as NumberFormat | '')}
        >
          <Menu.RadioItem value="" closeMenuOnClick>
            {text.table.formats.automatic}
          </Menu.RadioItem>
          {numberFormats.map((format) => (
            <Menu.RadioItem key={format} value={format} closeMenuOnClick>
              {text.table.formats[format]}{' '}
              <Text span size="xs" c="dimmed">
                {formatNumber(SAMPLE, format)}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
