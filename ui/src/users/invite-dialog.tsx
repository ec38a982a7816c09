import { Group, Text, TextInput } from '@mantine/core'
import { useProof } from '../account/use-proof.tsx'
import type { User } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FormDialog } from '../shared/dialog.tsx'
import { formatTime, text } from '../text/index.ts'
import { useInvite } from './users.ts'

/** Invites a user to choose their first password, then shows the link once. */
export function InviteDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { proof, fields } = useProof({ label: text.users.ownPassword })
  const invite = useInvite(user)
  const title = text.users.inviteTitle(user.login)
  if (invite.data) {
    const url = new URL(invite.data.url, location.origin).href
    return (
      <FormDialog title={title} onClose={onClose}>
        <Text size="sm">
          {text.users.invited} {text.users.inviteExpires(formatTime(invite.data.expiresAt))}
        </Text>
        <Group align="end" gap="sm">
          <TextInput
            label={text.users.inviteLink}
            value={url}
            readOnly
            className="growing"
            onFocus={(event) => event.currentTarget.select()}
            data-autofocus
          />
          <CopyButton value={url} label={text.copy.title} />
        </Group>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={title}
      submit={text.users.inviteSubmit}
      action={invite}
      onSubmit={() => invite.mutate(proof)}
      onClose={onClose}
    >
      <Text size="sm">{text.users.inviteHint}</Text>
      {fields}
    </FormDialog>
  )
}
