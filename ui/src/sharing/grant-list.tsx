import { ActionIcon, Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconUser, IconUsersGroup, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useAccount } from '../account/account.ts'
import type { Grant, GrantedAccess, GraphRecord } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { rights, toRight } from './rights.ts'
import { type Grantee, type GranteeKind, granteeOf, useGrant } from './sharing.ts'

/** Lists the owner, groups and people with access, with fields to change or revoke it. */
export function GrantList({
  graph,
  grants,
  onHandOver
}: {
  graph: GraphRecord
  grants: Grant[]
  onHandOver: () => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const change = useGrant(graph.id)
  const set = (grantee: Grantee, access: GrantedAccess | undefined) =>
    change.mutate(
      { ...grantee, access },
      {
        onSuccess: () => {
          // The focused row no longer exists.
          if (!access) heading.current?.focus()
        }
      }
    )
  return (
    <section aria-labelledby="grants">
      <Title order={3} size="h6" mb="xs" id="grants" ref={heading} tabIndex={-1}>
        {text.sharing.access}
      </Title>
      {change.error && <FailureAlert error={change.error} />}
      <Stack component="ul" gap="xs" mah={280} className="plain-list scrolling" tabIndex={0}>
        <Row kind="USER" name={graph.owner}>
          <Text size="sm" c="dimmed">
            {text.graph.owner}
          </Text>
          <Button size="compact-sm" variant="default" onClick={onHandOver}>
            {text.sharing.handOver}
          </Button>
        </Row>
        {grants.map((grant) => {
          const grantee = granteeOf(grant)
          const { kind, name } = grantee
          const isPending = change.isPending && change.variables.kind === kind && change.variables.name === name
          return (
            <Row key={`${kind} ${name}`} kind={kind} name={name}>
              <Select
                aria-label={text.sharing.rightOf(name)}
                size="xs"
                w={110}
                data={rights}
                value={grant.access}
                onChange={(value) => set(grantee, toRight(value))}
                allowDeselect={false}
                disabled={isPending}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.sharing.remove(name)}
                disabled={isPending}
                onClick={() => set(grantee, undefined)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Row>
          )
        })}
      </Stack>
    </section>
  )
}

function Row({ kind, name, children }: { kind: GranteeKind; name: string; children: ReactNode }) {
  const { login } = useAccount()
  const Icon = kind === 'GROUP' ? IconUsersGroup : IconUser
  return (
    <Group component="li" justify="space-between" gap="xs" data-grantee={name}>
      <Group gap="xs" wrap="nowrap">
        <Icon size={18} aria-hidden className="fixed" />
        <div>
          <Text size="sm" fw={600} className="breakable">
            {name}
          </Text>
          {kind === 'GROUP' && (
            <Text size="xs" c="dimmed">
              {text.sharing.kinds.GROUP}
            </Text>
          )}
        </div>
        {kind === 'USER' && name === login && <Badge variant="default">{text.users.you}</Badge>}
      </Group>
      <Group gap="xs" wrap="nowrap">
        {children}
      </Group>
    </Group>
  )
}
