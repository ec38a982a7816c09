import { Button, Group, Stack, Switch, TextInput, Title } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import type { Edge, GraphContent, Node } from '../api.ts'
import type { Element } from '../graph/drawing/drawing.ts'
import { afterPress } from '../graph/drawing/press.ts'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { AttributeFields } from './attribute-fields.tsx'
import { type AttributeRow, faultsOf, filledRows, metadataOf, rowsOf } from './attribute-rows.ts'
import { withEdge, withNode } from './edits.ts'
import { LENGTHS } from './lengths.ts'

/** The values of an element that the form edits. */
interface Fields {
  label: string
  relation: string
  isDirected: boolean
  rows: AttributeRow[]
}

function fieldsOf({ label = '', relation = '', directed, metadata }: Node & Edge, byDefault: boolean): Fields {
  return { label, relation, isDirected: directed ?? byDefault, rows: rowsOf(metadata) }
}

/** Returns the element with the values that the user changed. Members keep their order, and emptied ones are removed. */
function editedElement(element: Node & Edge, { label, relation, isDirected, rows }: Fields, before: Fields) {
  const edited = {
    ...element,
    ...(relation !== before.relation && { relation: relation || undefined }),
    ...(label !== before.label && { label: label || undefined }),
    ...(isDirected !== before.isDirected && { directed: isDirected }),
    ...(!isSame(rows, before.rows) && { metadata: metadataOf(rows) })
  }
  return Object.fromEntries(Object.entries(edited).filter(([, value]) => value !== undefined)) as Node & Edge
}

function isSame(some: unknown, other: unknown) {
  return JSON.stringify(some) === JSON.stringify(other)
}

/** Edits the label, relation and attributes of a node or edge, or removes the element. */
export function ElementForm({
  content,
  element: { kind, index },
  onChange,
  onRemove,
  onUndo,
  onRedo
}: {
  content: GraphContent
  element: Element
  onChange: (content: GraphContent) => void
  /** Called to remove the element. */
  onRemove: () => void
  onUndo: () => void
  onRedo: () => void
}) {
  const isNode = kind === 'node'
  const element = (isNode ? content.nodes : content.edges)[index] as Node & Edge
  const byDefault = content.directed ?? true
  const [shown, setShown] = useState(element)
  const [fields, setFields] = useState(() => fieldsOf(element, byDefault))
  if (shown !== element) {
    // Someone else changed the element, or the user undid a change.
    setShown(element)
    setFields(fieldsOf(element, byDefault))
  }
  const { label, relation, isDirected, rows } = fields
  const set = (changes: Partial<Fields>) => setFields({ ...fields, ...changes })

  const before = fieldsOf(element, byDefault)
  const filled = { ...fields, rows: filledRows(rows) }
  const isApplied = isSame(filled, before)
  function apply() {
    if (isApplied || faultsOf(rows).size > 0) return
    const edited = editedElement(element, filled, before)
    onChange(isNode ? withNode(content, edited, index) : withEdge(content, edited, index))
  }

  const step = (act: () => void) => (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation()
    act()
  }
  const onKeyDown = getHotkeyHandler([
    ['mod+Z', step(onUndo)],
    ['mod+shift+Z', step(onRedo)],
    ['mod+Y', step(onRedo)]
  ])
  return (
    <Form
      className="element-form"
      aria-label={isNode ? text.edit.node : text.edit.edge}
      onSubmit={apply}
      // Until typed values are applied, these keys undo the typing.
      onKeyDown={isApplied ? onKeyDown : undefined}
      // Applies typed values when focus leaves the form.
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || afterPress(apply)}
    >
      <Stack gap="xs">
        <Title order={2} size="h5" className="breakable">
          {isNode ? text.edit.node : text.edit.edge}
        </Title>
        {!isNode && (
          <>
            <TextInput
              size="xs"
              label={text.attributes.relation}
              value={relation}
              maxLength={LENGTHS.relation}
              onChange={(event) => set({ relation: event.currentTarget.value })}
            />
            <Switch
              size="xs"
              label={text.details.directed}
              checked={isDirected}
              onChange={(event) => set({ isDirected: event.currentTarget.checked })}
            />
          </>
        )}
        <TextInput
          size="xs"
          label={text.attributes.label}
          value={label}
          maxLength={LENGTHS.label}
          onChange={(event) => set({ label: event.currentTarget.value })}
        />
        <AttributeFields
          rows={rows}
          elements={isNode ? content.nodes : content.edges}
          onChange={(rows) => set({ rows })}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" disabled={faultsOf(rows).size > 0}>
            {text.edit.apply}
          </Button>
          <Button variant="default" size="xs" onClick={onRemove}>
            {isNode ? text.edit.removeNode : text.edit.removeEdge}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
