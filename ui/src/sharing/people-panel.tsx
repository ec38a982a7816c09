import { Button, Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { GrantedAccess, GraphRecord } from '../api.ts'
import { useGroupNames } from '../groups/groups.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { NameField } from '../shared/name-field.tsx'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import { GrantList } from './grant-list.tsx'
import { rights, toRight } from './rights.ts'
import { type GranteeKind, granteeOf, useGrant, useGrants, usePeople, useShare } from './sharing.ts'

const kinds = optionsOf(text.sharing.kinds)

/** Shows the people and groups that have access to a graph, and lets its owner change them. Changes apply immediately. */
export function PeoplePanel({ graph, onHandOver }: { graph: GraphRecord; onHandOver: () => void }) {
  const [kind, setKind] = useState<GranteeKind>('USER')
  const [name, setName] = useState('')
  const [access, setAccess] = useState<GrantedAccess>('READ')
  const [shared, setShared] = useState(graph.shared)
  const [done, setDone] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const grants = useGrants(graph.id)
  const add = useGrant(graph.id)
  const share = useShare(graph.id)
  const people = usePeople()
  const groups = useGroupNames()

  const present = (grants.data ?? []).map(granteeOf).filter((grantee) => grantee.kind === kind)
  const absent = (known: string) => known !== graph.owner && !present.some(({ name }) => name === known)
  const suggestions = kind === 'GROUP' ? groups.data : people.data?.filter((login) => login !== graph.owner)

  return (
    <Stack
      component={Form}
      onSubmit={() => {
        const grantee = { kind, name: name.trim() }
        add.mutate(
          { ...grantee, access },
          {
            onSuccess: () => {
              setName('')
              setDone(text.sharing.added(grantee.name, text.sharing.rights[access]))
              field.current?.focus()
            }
          }
        )
      }}
    >
      <Text size="sm" className="breakable">
        {text.sharing.shows(graph.defaultView)}
      </Text>
      {add.error && <FailureAlert error={add.error} />}
      <Group align="end" gap="sm">
        <SegmentedControl
          aria-label={text.sharing.kind}
          value={kind}
          onChange={(value) => setKind(value as GranteeKind)}
          data={kinds}
          disabled={add.isPending}
        />
        <NameField
          ref={field}
          label={text.sharing.names[kind]}
          value={name}
          onChange={setName}
          data={(suggestions ?? []).filter(absent)}
          readOnly={add.isPending}
          className="growing"
        />
        <Select
          aria-label={text.sharing.right}
          data={rights}
          value={access}
          onChange={(value) => setAccess(toRight(value))}
          allowDeselect={false}
          disabled={add.isPending}
          w={130}
        />
        <Button type="submit" loading={add.isPending}>
          {text.sharing.add}
        </Button>
      </Group>
      <Text role="status" className="visually-hidden">
        {done}
      </Text>
      {grants.error && <FailureAlert error={grants.error} retry={() => grants.refetch()} />}
      {grants.isPending && <Loading />}
      {grants.data && <GrantList graph={graph} grants={grants.data} onHandOver={onHandOver} />}
      <Stack gap="xs">
        {share.error && <FailureAlert error={share.error} />}
        <Switch
          label={text.sharing.everybody}
          description={text.sharing.everybodyHint}
          checked={share.isPending ? share.variables : shared}
          onChange={(event) =>
            share.mutate(event.currentTarget.checked, { onSuccess: (graph) => setShared(graph.shared) })
          }
          disabled={share.isPending}
        />
      </Stack>
      <Text size="sm" c="dimmed">
        {text.sharing.administrators}
      </Text>
    </Stack>
  )
}
