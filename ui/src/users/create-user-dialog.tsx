import { Radio, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useProof } from '../account/use-proof.tsx'
import type { Role, User } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { NewNameField } from '../shared/name-field.tsx'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import { NewPassword, RoleSelect } from './user-fields.tsx'
import { useCreateUser } from './users.ts'

const kinds = optionsOf(text.users.kinds)
const ways = optionsOf(text.users.firstPasswords)

/** Creates a user: a person with an initial password, a person to invite, or a service. */
export function CreateUserDialog({
  onClose,
  onInvite
}: {
  onClose: () => void
  /** Called instead of `onClose` if the person is to be invited. */
  onInvite: (user: User) => void
}) {
  const form = useForm({
    initialValues: { login: '', kind: 'PERSON' as User['kind'], role: 'USER' as Role, password: '' }
  })
  const [isInvited, setIsInvited] = useState(true)
  const { kind, role, password } = form.values
  const hasPassword = kind === 'PERSON' && !isInvited
  const { proof, fields } = useProof({
    isNeeded: hasPassword || role !== 'USER',
    label: text.users.ownPassword
  })
  const create = useCreateUser()
  return (
    <FormDialog
      title={text.users.create}
      submit={text.create}
      action={create}
      onSubmit={() =>
        create.mutate(
          { ...form.values, password: hasPassword ? password : undefined, proof },
          { onSuccess: (user) => (kind === 'PERSON' && isInvited ? onInvite(user) : onClose()) }
        )
      }
      onClose={onClose}
    >
      <NewNameField label={text.users.login} {...form.getInputProps('login')} />
      <Select
        label={text.users.kind}
        description={text.users.kindHints[kind]}
        data={kinds}
        {...form.getInputProps('kind')}
        allowDeselect={false}
      />
      {kind === 'PERSON' && (
        <Radio.Group
          label={text.users.firstPassword}
          value={isInvited ? 'invite' : 'set'}
          onChange={(way) => setIsInvited(way === 'invite')}
        >
          <Stack gap={6} mt={4}>
            {ways.map((way) => (
              <Radio key={way.value} {...way} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {hasPassword && (
        <>
          <NewPassword value={password} onChange={(password) => form.setFieldValue('password', password)} />
          <Text size="sm" c="dimmed">
            {text.users.firstPasswordHint}
          </Text>
        </>
      )}
      <RoleSelect value={role} onChange={(role) => form.setFieldValue('role', role)} />
      {fields}
    </FormDialog>
  )
}
