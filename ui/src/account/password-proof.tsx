import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { CodeInput } from './code-input.tsx'

/** The current password, and a code of the second factor where it was asked for. */
export interface Proof {
  password: string
  code?: string
}

/** The parts of a mutation that takes the proof. */
interface Action {
  mutate(proof: Proof): void
  isPending: boolean
  error: unknown
}

/** Asks for the current password before the action; `withCode` also for a code of the second factor. */
export function PasswordProof({ submit, action, withCode }: { submit: string; action: Action; withCode: boolean }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <Form onSubmit={() => action.mutate({ password, ...(withCode && { code }) })}>
      <Stack>
        {action.error ? <FailureAlert error={action.error} /> : null}
        <PasswordInput
          label={text.account.currentPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        {withCode && <CodeInput value={code} onChange={setCode} />}
        <Group>
          <Button type="submit" variant="default" loading={action.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
