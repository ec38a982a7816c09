import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useAccount } from '../account/account.ts'
import type { User } from '../api.ts'
import { text } from '../text/index.ts'
import type { UserDialogKind } from './user-dialogs.tsx'

/** The menu of actions for a user. */
export function UserMenu({
  user,
  onOpen,
  onToggle
}: {
  user: User
  onOpen: (dialog: UserDialogKind) => void
  /** Disables or enables the user. */
  onToggle: () => void
}) {
  const { login: own } = useAccount()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={text.actionsFor(user.login)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen('role')}>{text.users.changeRole}</Menu.Item>
        {user.kind === 'PERSON' && user.login !== own && (
          <Menu.Item onClick={() => onOpen('password')}>{text.users.resetPassword}</Menu.Item>
        )}
        {user.kind === 'PERSON' && user.enabled && !user.hasPassword && user.login !== own && (
          <Menu.Item onClick={() => onOpen('invite')}>{text.users.invite}</Menu.Item>
        )}
        {user.secondFactor && user.login !== own && (
          <Menu.Item onClick={() => onOpen('factor')}>{text.users.removeFactor}</Menu.Item>
        )}
        {user.kind === 'PERSON' && user.login !== own && (
          <Menu.Item onClick={() => onOpen('sessions')}>{text.users.sessions}</Menu.Item>
        )}
        <Menu.Item onClick={() => onOpen('tokens')}>{text.tokens.open}</Menu.Item>
        <Menu.Item onClick={onToggle}>{user.enabled ? text.users.disable : text.users.enable}</Menu.Item>
        <Menu.Item component={Link} href={`/audits?principal=${encodeURIComponent(user.login)}`}>
          {text.auditEvents}
        </Menu.Item>
        <Menu.Item color="var(--mantine-color-error)" onClick={() => onOpen('delete')}>
          {text.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
