import { ActionIcon, CloseButton, Group, Input, SegmentedControl, Select, Stack, Switch, Title } from '@mantine/core'
import { IconArrowsUpDown } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useGraphContext } from '../graph/graph-context.ts'
import { optionsOf } from '../shared/options.ts'
import { useReturnedFocus } from '../shared/use-returned-focus.ts'
import { text } from '../text/index.ts'
import { NodePicker } from './node-picker.tsx'
import { PathAnswerList } from './path-answer.tsx'
import type { PathQuery } from './path-query.ts'

/** The option that gives each edge a length of 1. */
const NONE = 'none'

/** A panel for finding a shortest path between two nodes. */
export function PathPanel({ query }: { query: PathQuery }) {
  const { view, side, isNarrow } = useGraphContext()
  const { network, finder, path, edges, change } = view
  const set = (changes: Partial<PathQuery>) => change({ path: { ...query, number: undefined, ...changes } })
  const section = useRef<HTMLDivElement>(null)
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) }
  useReturnedFocus()
  useEffect(() => {
    if (!side.isPathAwaited.current) return
    side.isPathAwaited.current = false
    // On phones, a focused field would cover the drawing with the keyboard.
    const empty = isNarrow ? undefined : (['from', 'to'] as const).find((name) => query[name] === undefined)
    const target = empty ? fields[empty].current : section.current
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  })
  const end = (name: 'from' | 'to') => {
    const id = query[name]
    return (
      <NodePicker
        ref={fields[name]}
        label={text.paths[name]}
        network={network}
        finder={finder}
        node={id === undefined ? undefined : network.indexOf.get(id)}
        onChoose={(node) => set({ [name]: node === undefined ? undefined : network.nodes[node]?.id })}
      />
    )
  }
  const lengths = edges.filter(({ isNumber }) => isNumber)
  return (
    <Stack ref={section} gap="sm" component="section" aria-label={text.paths.title} className="details" tabIndex={-1}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5">
          {text.paths.title}
        </Title>
        <CloseButton aria-label={text.paths.close} onClick={() => change({ path: undefined })} />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Stack gap="sm" flex={1}>
          {end('from')}
          {end('to')}
        </Stack>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.paths.swap}
          title={text.paths.swap}
          onClick={() => set({ from: query.to, to: query.from })}
        >
          <IconArrowsUpDown size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {lengths.length > 0 && (
        <Select
          label={text.paths.length}
          size="sm"
          data={[
            { value: NONE, label: text.paths.one },
            ...lengths.map(({ key, title }) => ({ value: key, label: title }))
          ]}
          value={lengths.some(({ key }) => key === query.by) ? query.by : query.by === undefined ? NONE : null}
          onChange={(by) => set(by === NONE || by === null ? { by: undefined, isInverse: undefined } : { by })}
          allowDeselect={false}
        />
      )}
      {query.by !== undefined && (
        <Input.Wrapper label={text.paths.meaning} labelElement="div">
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={text.paths.meaning}
            data={optionsOf(text.paths.meanings)}
            value={query.isInverse ? 'closer' : 'longer'}
            onChange={(meaning) => set({ isInverse: meaning === 'closer' || undefined })}
          />
        </Input.Wrapper>
      )}
      {network.directed.some(Boolean) && (
        <Switch
          size="sm"
          label={text.paths.eitherWay}
          checked={query.isEitherWay}
          onChange={(event) => set({ isEitherWay: event.currentTarget.checked })}
        />
      )}
      <PathAnswerList state={path} onNumber={(number) => set({ number })} />
    </Stack>
  )
}
