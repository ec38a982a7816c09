import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconUser, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Group as UserGroup } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { NameField } from '../shared/name-field.tsx'
import { formatNumber, text } from '../text/index.ts'
import { useGroup, useLogins, useMembership } from './groups.ts'

/** The maximum number of members to list. Others can be found by typing a name. */
const MOST = 200

/**
 * Shows the members of a group and the number of graphs shared with it, and adds or removes members. Changes apply immediately.
 */
export function MembersDialog({ group: { name }, onClose }: { group: UserGroup; onClose: () => void }) {
  const [login, setLogin] = useState('')
  const [done, setDone] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const group = useGroup(name)
  const logins = useLogins()
  const change = useMembership(name)
  const { members = [], graphCount = 0 } = group.data ?? {}
  const typed = login.trim()
  const matching = members.filter((member) => member.includes(typed))

  return (
    <FormDialog
      title={text.groups.membersOf(name)}
      size="lg"
      action={change}
      onSubmit={() =>
        change.mutate(
          { login: typed, isMember: true },
          {
            onSuccess: () => {
              setLogin('')
              setDone(text.groups.added(typed))
              field.current?.focus()
            }
          }
        )
      }
      onClose={onClose}
    >
      <Group align="end" gap="sm">
        <NameField
          ref={field}
          label={text.users.login}
          value={login}
          onChange={setLogin}
          data={(logins.data ?? []).filter((known) => !members.includes(known))}
          readOnly={change.isPending}
          className="growing"
        />
        <Button type="submit" loading={change.isPending && change.variables.isMember}>
          {text.groups.add}
        </Button>
      </Group>
      <Text role="status" className="visually-hidden">
        {done}
      </Text>
      {group.error && <FailureAlert error={group.error} retry={() => group.refetch()} />}
      {group.isPending && <Loading />}
      {group.data && (
        <section aria-labelledby="members">
          <Title order={3} size="h6" mb="xs" id="members" ref={heading} tabIndex={-1}>
            {text.groups.counts(members.length, graphCount)}
          </Title>
          <Stack component="ul" gap={4} mah={280} className="plain-list scrolling" tabIndex={0}>
            {matching.slice(0, MOST).map((member) => (
              <Group key={member} component="li" justify="space-between" wrap="nowrap">
                <Group gap="xs" wrap="nowrap" className="shrinking">
                  <IconUser size={18} aria-hidden className="fixed" />
                  <Text size="sm" className="breakable">
                    {member}
                  </Text>
                </Group>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={text.sharing.remove(member)}
                  disabled={change.isPending}
                  onClick={() =>
                    change.mutate(
                      { login: member, isMember: false },
                      // The focused row no longer exists.
                      { onSuccess: () => heading.current?.focus() }
                    )
                  }
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
          </Stack>
          {matching.length > MOST && (
            <Text size="sm" c="dimmed">
              {text.groups.more(formatNumber(matching.length - MOST))}
            </Text>
          )}
        </section>
      )}
    </FormDialog>
  )
}
