import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { CodeInput } from './code-input.tsx'

/** The current password, and a second-factor code if required. */
export interface Proof {
  password: string
  code?: string
}

/** The parts of a mutation that the form uses. */
interface Action {
  mutate(proof: Proof): void
  isPending: boolean
  error: unknown
}

interface Fields {
  proof: Proof
  onChange: (proof: Proof) => void
  withCode: boolean
  /** The label of the password field, for forms that also ask for another user's password. */
  label?: string
  /** Whether to focus the password field. */
  autoFocus?: boolean
}

/** Asks for the current password before the action, which the user has just chosen. With `withCode`, also asks for a second-factor code. */
export function PasswordProof({
  submit,
  action,
  withCode,
  onCancel
}: {
  submit: string
  action: Action
  withCode: boolean
  onCancel?: (() => void) | undefined
}) {
  const [proof, setProof] = useState<Proof>({ password: '' })
  return (
    <Form onSubmit={() => action.mutate(proof)}>
      <Stack>
        {action.error ? <FailureAlert error={action.error} /> : null}
        <ProofFields proof={proof} onChange={setProof} withCode={withCode} autoFocus />
        <Group>
          <Button type="submit" variant="default" loading={action.isPending}>
            {submit}
          </Button>
          {onCancel && <CancelButton onClick={onCancel} />}
        </Group>
      </Stack>
    </Form>
  )
}

export function CancelButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="subtle" onClick={onClick}>
      {text.cancel}
    </Button>
  )
}

/** The fields for the proof, for use in other forms. */
export function ProofFields({
  proof,
  onChange,
  withCode,
  label = text.account.currentPassword,
  autoFocus = false
}: Fields) {
  return (
    <>
      <PasswordInput
        label={label}
        value={proof.password}
        onChange={(event) => onChange({ ...proof, password: event.currentTarget.value })}
        autoComplete="current-password"
        autoFocus={autoFocus}
        required
      />
      {withCode && <CodeInput value={proof.code ?? ''} onChange={(code) => onChange({ ...proof, code })} />}
    </>
  )
}
