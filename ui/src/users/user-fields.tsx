import { PasswordInput, Select } from '@mantine/core'
import type { Role } from '../api.ts'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'

const roles = optionsOf(text.roles)

/** A field for choosing a role, with a description of its rights. */
export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
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

/** A field for a password that is set for someone else. */
export function NewPassword({ value, onChange }: { value: string; onChange: (password: string) => void }) {
  return (
    <PasswordInput
      label={text.password}
      description={text.passwordHint}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
      minLength={12}
      required
    />
  )
}
