import { ActionIcon, Button, Container, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Group as UserGroup } from '../api.ts'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { DeleteGroupDialog, GroupDialog } from './group-dialogs.tsx'
import { useGroups } from './groups.ts'
import { MembersDialog } from './members-dialog.tsx'

type Dialog = { kind: 'create' } | { kind: 'members' | 'edit' | 'delete'; group: UserGroup }

/** The list of all groups, for administrators. */
export default function GroupsPage() {
  useTitle(text.nav.groups)
  const list = useListState('name,asc')
  const [dialog, setDialog] = useState<Dialog>()
  const groups = useGroups(list.query)
  const columns: Column<UserGroup>[] = [
    {
      key: 'name',
      title: text.groups.name,
      isSorted: true,
      isNarrow: true,
      cell: (group) => (
        <Stack gap={2}>
          <Text fw={600} className="breakable">
            {group.name}
          </Text>
          {group.description && (
            <Text size="sm" c="dimmed" lineClamp={2} className="breakable">
              {group.description}
            </Text>
          )}
        </Stack>
      )
    },
    { key: 'createdAt', title: text.createdAt, isSorted: true, cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'actions',
      title: text.actions,
      isNarrow: true,
      cell: (group) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={text.groups.membersOf(group.name)}
            onClick={() => setDialog({ kind: 'members', group })}
          >
            {text.groups.members}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={text.actionsFor(group.name)}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog({ kind: 'edit', group })}>{text.editDescription}</Menu.Item>
              <Menu.Item component={Link} href={`/audits?targetType=GROUP&targetId=${group.id}`}>
                {text.auditEvents}
              </Menu.Item>
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setDialog({ kind: 'delete', group })}>
                {text.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )
    }
  ]

  const close = () => setDialog(undefined)
  return (
    <Container size="lg" py="lg">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          {text.nav.groups}
        </Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setDialog({ kind: 'create' })}>
          {text.groups.create}
        </Button>
      </Group>
      {groups.error && <FailureAlert error={groups.error} retry={() => groups.refetch()} />}
      {groups.isPending && <Loading />}
      {groups.data && groups.data.total > 0 && (
        <Records caption={text.nav.groups} columns={columns} page={groups.data} rowKey={({ id }) => id} list={list} />
      )}
      {groups.data?.total === 0 && (
        <Empty title={text.groups.none}>
          <Text c="dimmed">{text.groups.hint}</Text>
        </Empty>
      )}
      {dialog?.kind === 'create' && (
        <GroupDialog onClose={close} onCreated={(group) => setDialog({ kind: 'members', group })} />
      )}
      {dialog?.kind === 'edit' && <GroupDialog group={dialog.group} onClose={close} />}
      {dialog?.kind === 'members' && <MembersDialog group={dialog.group} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteGroupDialog group={dialog.group} onClose={close} />}
    </Container>
  )
}
