import { Text } from '@mantine/core'
import { useState } from 'react'
import { SessionList } from '../account/session-list.tsx'
import { useEndSessions, useSessions } from '../account/sessions.ts'
import { useProof } from '../account/use-proof.tsx'
import type { User } from '../api.ts'
import { ConfirmDialog, FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { TokenList } from '../tokens/token-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { NewPassword, RoleSelect } from './user-fields.tsx'
import { useChangeUser, useDeleteUser, useRemoveFactor } from './users.ts'

/** The kinds of dialogs for a user. */
export type UserDialogKind = 'role' | 'password' | 'enable' | 'invite' | 'factor' | 'sessions' | 'tokens' | 'delete'

interface Props {
  user: User
  onClose: () => void
}

/** Shows the dialog of the given kind. */
export function UserDialog({ kind, ...props }: Props & { kind: UserDialogKind }) {
  const Dialog = dialogs[kind]
  return <Dialog {...props} />
}

function TokensDialog({ user: { login }, onClose }: Props) {
  return (
    <FormDialog title={text.tokens.of(login)} size="lg" onClose={onClose}>
      <TokenList login={login} />
    </FormDialog>
  )
}

/** Lists the user's sessions. The submit button ends them all, including those beyond the list. */
function SessionsDialog({ user: { login }, onClose }: Props) {
  const { data } = useSessions(login)
  const end = useEndSessions(login)
  return (
    <FormDialog
      title={text.users.sessionsOf(login)}
      size="lg"
      submit={data?.length ? text.users.endSessions : undefined}
      action={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <SessionList login={login} />
    </FormDialog>
  )
}

function FactorDialog({ user, onClose }: Props) {
  const remove = useRemoveFactor(user)
  return (
    <ConfirmDialog
      title={text.users.removeFactor}
      question={text.users.factorQuestion(user.login)}
      submit={text.secondFactor.remove}
      action={remove}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function RoleDialog({ user, onClose }: Props) {
  const [role, setRole] = useState(user.role)
  const { proof, fields } = useProof({
    isNeeded: role !== user.role && role !== 'USER',
    label: text.users.ownPassword
  })
  const change = useChangeUser(user)
  return (
    <FormDialog
      title={text.users.roleOf(user.login)}
      submit={text.save}
      action={change}
      onSubmit={() => change.mutate({ role, proof }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <RoleSelect value={role} onChange={setRole} />
      {fields}
    </FormDialog>
  )
}

function PasswordDialog({ user, onClose }: Props) {
  const [password, setPassword] = useState('')
  const { proof, fields } = useProof({ label: text.users.ownPassword })
  const change = useChangeUser(user)
  return (
    <FormDialog
      title={text.users.passwordOf(user.login)}
      submit={text.save}
      action={change}
      onSubmit={() => change.mutate({ password, proof }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {text.users.passwordHint}
      </Text>
      <NewPassword value={password} onChange={setPassword} />
      {fields}
    </FormDialog>
  )
}

/** Enables a user, which restores the rights of their role. */
function EnableDialog({ user, onClose }: Props) {
  const { proof, fields } = useProof({ label: text.users.ownPassword })
  const change = useChangeUser(user)
  return (
    <FormDialog
      title={text.users.enableUser(user.login)}
      submit={text.users.enable}
      action={change}
      onSubmit={() => change.mutate({ enabled: true, proof }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{text.users.enableHint(text.roles[user.role])}</Text>
      {fields}
    </FormDialog>
  )
}

function DeleteDialog({ user, onClose }: Props) {
  const remove = useDeleteUser(user)
  return (
    <ConfirmDialog
      title={text.delete}
      question={text.users.deleteQuestion(user.login)}
      submit={text.delete}
      action={remove}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

const dialogs = {
  role: RoleDialog,
  password: PasswordDialog,
  enable: EnableDialog,
  invite: InviteDialog,
  factor: FactorDialog,
  sessions: SessionsDialog,
  tokens: TokensDialog,
  delete: DeleteDialog
}
