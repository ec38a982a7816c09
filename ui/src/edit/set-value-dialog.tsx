import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Attribute } from '../graph/network/attributes.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { KindField, ValueField } from './attribute-fields.tsx'
import { faultOf, readValue, UNCHOSEN, type Written } from './attribute-rows.ts'
import { lengthOf } from './lengths.ts'
import type { TableEditor } from './table-editor.ts'
import { keyOfAttribute } from './values.ts'

/** The option that adds an attribute. No column has this key. */
const NEW = 'new'

/** Sets several elements to the same value. An empty value removes existing values. */
export function SetValueDialog({
  title: heading,
  editor,
  columns,
  indexes,
  onClose
}: {
  title: string
  editor: TableEditor
  /** The editable columns. */
  columns: Attribute[]
  indexes: ReadonlySet<number>
  onClose: () => void
}) {
  const [chosen, setChosen] = useState(NEW)
  const [name, setName] = useState('')
  const [written, setWritten] = useState<Written>({ kind: 'text', text: '' })
  /** The displayed name of the attribute. */
  const title = chosen === NEW ? name : (columns.find(({ key }) => key === chosen)?.title ?? '')
  const isText = chosen === 'label' || chosen === 'relation'
  const fault = written.text === '' ? undefined : faultOf(written)

  function choose(key: string) {
    const kind = key === NEW ? 'text' : editor.typeOf(key)
    setChosen(key)
    setWritten({ kind, text: kind === 'boolean' ? UNCHOSEN : '' })
  }

  function submit() {
    const value = written.text === '' ? undefined : readValue(written)
    editor.set(indexes, chosen === NEW ? keyOfAttribute(name) : chosen, value)
    onClose()
  }

  return (
    <FormDialog
      title={heading}
      submit={text.table.setValueSubmit}
      isDisabled={fault !== undefined || (chosen === NEW && name === '')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={text.table.column}
        data={[
          ...columns.map(({ key, title }) => ({ value: key, label: title })),
          { value: NEW, label: text.table.newAttribute }
        ]}
        value={chosen}
        onChange={(key) => key && choose(key)}
        allowDeselect={false}
        data-autofocus
      />
      {chosen === NEW && (
        <TextInput
          label={text.edit.attributeName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
      )}
      {!isText && <KindField name={title} written={written} isOptional onChange={setWritten} />}
      <ValueField
        name={title}
        written={written}
        fault={fault}
        maxLength={lengthOf(chosen)}
        isOptional
        onChange={(text) => setWritten({ ...written, text })}
      />
      <Text size="sm" c="dimmed">
        {text.table.emptyRemoves}
      </Text>
    </FormDialog>
  )
}
