import { Badge, Button, Container, Group, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccount } from '../account/account.ts'
import type { User } from '../api.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { useTitle } from '../shared/title.ts'
import { formatDay, formatTime, text } from '../text/index.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { UserDialog, type UserDialogKind } from './user-dialogs.tsx'
import { UserMenu } from './user-menu.tsx'
import { useToggleUser, useUsers } from './users.ts'

/** The list of all user accounts. */
export default function UsersPage() {
  useTitle(text.nav.users)
  const { login: own } = useAccount()
  const list = useListState('login,asc')
  const [dialog, setDialog] = useState<{ kind: 'create' } | { kind: UserDialogKind; user: User }>()
  const users = useUsers(list.query)
  const toggle = useToggleUser()
  // Enabling a user with a role other than USER requires proof.
  const onToggle = (user: User) =>
    user.enabled || user.role === 'USER' ? toggle.mutate(user) : setDialog({ kind: 'enable', user })

  const columns: Column<User>[] = [
    {
      key: 'login',
      title: text.users.login,
      isSorted: true,
      isNarrow: true,
      cell: ({ login, kind, enabled, hasPassword, linked, secondFactor }) => (
        <Group gap="xs">
          <Text fw={600} className="breakable">
            {login}
          </Text>
          {!enabled && <Badge variant="default">{text.users.disabled}</Badge>}
          {kind === 'SERVICE' && <Badge variant="default">{text.users.service}</Badge>}
          {secondFactor && <Badge variant="default">{text.users.secondFactor}</Badge>}
          {linked && <Badge variant="default">{text.users.linked}</Badge>}
          {kind === 'PERSON' && !hasPassword && !linked && <Badge variant="default">{text.users.noPassword}</Badge>}
          {login === own && <Badge variant="default">{text.users.you}</Badge>}
        </Group>
      )
    },
    { key: 'role', title: text.users.role, isSorted: true, isNarrow: true, cell: ({ role }) => text.roles[role] },
    { key: 'createdAt', title: text.createdAt, isSorted: true, cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'lastSeenAt',
      title: text.users.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? text.users.neverSeen : formatDay(lastSeenAt))
    },
    {
      key: 'actions',
      title: text.actions,
      isNarrow: true,
      cell: (user) => (
        <UserMenu user={user} onOpen={(kind) => setDialog({ kind, user })} onToggle={() => onToggle(user)} />
      )
    }
  ]

  const close = () => setDialog(undefined)
  return (
    <Container size="lg" py="lg">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          {text.nav.users}
        </Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setDialog({ kind: 'create' })}>
          {text.users.create}
        </Button>
      </Group>
      {toggle.error && <FailureAlert error={toggle.error} />}
      {users.error && <FailureAlert error={users.error} retry={() => users.refetch()} />}
      {users.isPending && <Loading />}
      {users.data && (
        <Records caption={text.nav.users} columns={columns} page={users.data} rowKey={({ id }) => id} list={list} />
      )}
      {dialog && 'user' in dialog && <UserDialog {...dialog} onClose={close} />}
      {dialog?.kind === 'create' && (
        <CreateUserDialog onClose={close} onInvite={(user) => setDialog({ kind: 'invite', user })} />
      )}
    </Container>
  )
}
