import { Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { GraphContent } from '../api.ts'
import { type NodeFinder, optionsOf } from '../graph/find-nodes.ts'
import type { Network } from '../graph/network/network.ts'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { withEdges } from './edits.ts'
import { LENGTHS } from './lengths.ts'

/** Adds an edge from each of some nodes to another node, which the user finds by name or attribute. */
export function ConnectForm({
  content,
  network,
  finder,
  nodes,
  onChange
}: {
  content: GraphContent
  network: Network
  finder: NodeFinder
  nodes: ReadonlySet<number>
  onChange: (content: GraphContent) => void
}) {
  const [typed, setTyped] = useState('')
  const [relation, setRelation] = useState('')
  const found = useMemo(() => optionsOf(finder.find(typed)), [finder, typed])
  const [targetId, setTargetId] = useState<string>()

  // The node may have been removed since it was chosen.
  const target = targetId !== undefined && network.indexOf.has(targetId) ? targetId : undefined
  // Only a single node is connected to itself.
  const sources = [...nodes].filter((node) => nodes.size === 1 || content.nodes[node]?.id !== target)

  function connect() {
    if (target === undefined) return
    const ids = sources.map((node) => content.nodes[node]?.id).filter((id) => id !== undefined)
    onChange(
      withEdges(
        content,
        ids.map((source) => ({ source, target, ...(relation !== '' && { relation }) }))
      )
    )
    type('')
  }

  function type(value: string) {
    // The text of a chosen option identifies its node.
    const index = found.get(value)
    setTargetId(index === undefined ? undefined : network.nodes[index]?.id)
    setTyped(value)
  }

  return (
    <Form aria-label={text.edit.connect} onSubmit={connect}>
      <Stack gap="xs">
        <Autocomplete
          size="xs"
          label={text.edit.connect}
          placeholder={text.search.label}
          data={[...found.keys()]}
          // The options are already filtered.
          filter={({ options }) => options}
          value={typed}
          onChange={type}
          selectFirstOptionOnChange
          data-autofocus
        />
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            size="xs"
            label={text.attributes.relation}
            value={relation}
            maxLength={LENGTHS.relation}
            onChange={(event) => setRelation(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" variant="default" disabled={target === undefined}>
            {text.edit.addEdges(sources.length)}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
