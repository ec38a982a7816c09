import {
  ActionIcon,
  Badge,
  Button,
  Container,
  Group,
  Menu,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title
} from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAccount } from '../account/account.ts'
import { api, type Role, take, takePage, type User } from '../api.ts'
import { ACCOUNT, queries } from '../queries.ts'
import { ConfirmDialog, FormDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { TokenList } from '../tokens/token-list.tsx'

const USERS = ['users']
const refresh = () => queries.invalidateQueries({ queryKey: USERS })
const kinds = (Object.keys(text.users.kinds) as User['kind'][]).map((value) => ({
  value,
  label: text.users.kinds[value]
}))
const roles = (Object.keys(text.roles) as Role[]).map((value) => ({ value, label: text.roles[value] }))

type Dialog = { kind: 'create' } | { kind: 'role' | 'password' | 'tokens' | 'delete'; user: User }

/** All user accounts. */
export default function UsersPage() {
  useTitle(text.nav.users)
  const { login: own } = useAccount()
  const list = useListState('login,asc')
  const [dialog, setDialog] = useState<Dialog>()
  const users = useQuery({
    queryKey: [...USERS, list.query],
    queryFn: ({ signal }) => takePage(api.GET('/api/users', { params: { query: list.query }, signal })),
    placeholderData: keepPreviousData
  })
  const toggle = useMutation({
    mutationFn: ({ login, enabled }: User) =>
      take(api.PATCH('/api/users/{login}', { params: { path: { login } }, body: { enabled: !enabled } })),
    onSettled: refresh
  })

  const columns: Column<User>[] = [
    {
      key: 'login',
      title: text.users.login,
      isSorted: true,
      isNarrow: true,
      cell: ({ login, kind, enabled }) => (
        <Group gap="xs">
          <Text fw={600} className="breakable">
            {login}
          </Text>
          {!enabled && <Badge variant="default">{text.users.disabled}</Badge>}
          {kind === 'SERVICE' && <Badge variant="default">{text.users.service}</Badge>}
          {login === own && <Badge variant="default">{text.users.you}</Badge>}
        </Group>
      )
    },
    { key: 'role', title: text.users.role, isSorted: true, isNarrow: true, cell: ({ role }) => text.roles[role] },
    { key: 'createdAt', title: text.users.createdAt, isSorted: true, cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'actions',
      title: text.actions,
      isNarrow: true,
      cell: (user) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={text.users.menu(user.login)}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog({ kind: 'role', user })}>{text.users.changeRole}</Menu.Item>
            {user.kind === 'PERSON' && (
              <Menu.Item onClick={() => setDialog({ kind: 'password', user })}>{text.users.resetPassword}</Menu.Item>
            )}
            <Menu.Item onClick={() => setDialog({ kind: 'tokens', user })}>{text.tokens.open}</Menu.Item>
            <Menu.Item onClick={() => toggle.mutate(user)}>
              {user.enabled ? text.users.disable : text.users.enable}
            </Menu.Item>
            <Menu.Item component={Link} href={`/audits?principal=${encodeURIComponent(user.login)}`}>
              {text.users.audits}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => setDialog({ kind: 'delete', user })}>
              {text.users.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
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
      {dialog?.kind === 'create' && <CreateDialog onClose={close} />}
      {dialog?.kind === 'role' && <RoleDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'password' && <PasswordDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'tokens' && <TokensDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteDialog user={dialog.user} onClose={close} />}
    </Container>
  )
}

function TokensDialog({ user: { login }, onClose }: { user: User; onClose: () => void }) {
  return (
    <FormDialog title={text.tokens.of(login)} size="lg" onClose={onClose}>
      <TokenList login={login} />
    </FormDialog>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<Role>('USER')
  const [kind, setKind] = useState<User['kind']>('PERSON')
  const create = useMutation({
    mutationFn: () => {
      const person = kind === 'PERSON' && { password, mustChangePassword: true }
      return take(api.POST('/api/users', { body: { login, kind, role, enabled: true, ...person } }))
    },
    onSuccess: async () => {
      await refresh()
      onClose()
    }
  })
  return (
    <FormDialog
      title={text.users.create}
      submit={text.users.createSubmit}
      error={create.error}
      isPending={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={text.users.login}
        description={text.users.loginHint}
        value={login}
        onChange={(event) => setLogin(event.currentTarget.value)}
        pattern="[a-z0-9][a-z0-9._@\-]*"
        maxLength={64}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        required
        data-autofocus
      />
      <Select
        label={text.users.kind}
        description={text.users.kindHints[kind]}
        data={kinds}
        value={kind}
        onChange={(kind) => kind && setKind(kind as User['kind'])}
        allowDeselect={false}
      />
      {kind === 'PERSON' && (
        <>
          <NewPassword value={password} onChange={setPassword} />
          <Text size="sm" c="dimmed">
            {text.users.firstPasswordHint}
          </Text>
        </>
      )}
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}

function RoleDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [role, setRole] = useState(user.role)
  const change = usePatch(user, onClose)
  return (
    <FormDialog
      title={text.users.roleOf(user.login)}
      submit={text.save}
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => change.mutate({ role })}
      onClose={onClose}
    >
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { login: own } = useAccount()
  const [password, setPassword] = useState('')
  const change = usePatch(user, onClose)
  return (
    <FormDialog
      title={text.users.passwordOf(user.login)}
      submit={text.save}
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => change.mutate({ password })}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {user.login === own ? text.users.ownPasswordHint : text.users.passwordHint}
      </Text>
      <NewPassword value={password} onChange={setPassword} />
    </FormDialog>
  )
}

function DeleteDialog({ user: { login }, onClose }: { user: User; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/api/users/{login}', { params: { path: { login } } })),
    onSuccess: async () => {
      await refresh()
      onClose()
    }
  })
  return (
    <ConfirmDialog
      title={text.users.delete}
      question={text.users.deleteQuestion(login)}
      submit={text.users.delete}
      error={remove.error}
      isPending={remove.isPending}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

function usePatch({ login }: User, onDone: () => void) {
  const own = useAccount()
  return useMutation({
    mutationFn: (body: { role?: Role; password?: string }) =>
      take(api.PATCH('/api/users/{login}', { params: { path: { login } }, body })),
    onSuccess: async () => {
      await refresh()
      // Users who change their own account may have other rights now, or none.
      if (login === own.login) await queries.invalidateQueries({ queryKey: ACCOUNT })
      onDone()
    }
  })
}

function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Select
      label={text.users.role}
      description={text.roleHints[value]}
      data={roles}
      value={value}
      onChange={(role) => role && onChange(role as Role)}
      allowDeselect={false}
    />
  )
}

function NewPassword({ value, onChange }: { value: string; onChange: (password: string) => void }) {
  return (
    <Stack gap={4}>
      <PasswordInput
        label={text.users.password}
        description={text.passwordHint}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': text.signIn.showPassword }}
        minLength={12}
        required
      />
    </Stack>
  )
}
