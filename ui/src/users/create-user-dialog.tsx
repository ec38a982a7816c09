import { Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useProof } from '../account/use-proof.tsx'
import { FormDialog } from '../shared/dialog.tsx'
import { NewNameField } from '../shared/name-field.tsx'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import { NewPassword, RoleSelect } from './user-fields.tsx'
import { type NewUser, useCreateUser } from './users.ts'

const kinds = optionsOf(text.users.kinds)

/** Creates a user: a person with an initial password, or a service. */
export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<NewUser>({ initialValues: { login: '', kind: 'PERSON', role: 'USER', password: '' } })
  const { kind, role, password } = form.values
  const { proof, fields } = useProof({
    isNeeded: kind === 'PERSON' || role !== 'USER',
    label: text.users.ownPassword
  })
  const create = useCreateUser()
  return (
    <FormDialog
      title={text.users.create}
      submit={text.create}
      action={create}
      onSubmit={() => create.mutate({ ...form.values, proof }, { onSuccess: onClose })}
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
