import { Anchor, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Problem } from '../api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { saveFile } from '../shared/save-file.ts'
import { text } from '../text/index.ts'
import { CancelButton, PasswordProof } from './password-proof.tsx'
import { useBeginSecondFactor, useConfirmSecondFactor } from './second-factor-queries.ts'

const KeyImage = lazyComponent('key-image', () => import('./key-image.tsx'))

/** Sets up a second factor. Asks for the password, then for a code, and then shows the recovery codes. */
export function FactorSetup({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
  const begin = useBeginSecondFactor()
  const confirm = useConfirmSecondFactor()
  const [code, setCode] = useState('')
  if (confirm.data) return <ShownCodes codes={confirm.data.recoveryCodes} onClose={onDone} />
  if (!begin.data) {
    return <PasswordProof submit={text.secondFactor.begin} action={begin} withCode={false} onCancel={onCancel} />
  }
  const { secret, uri } = begin.data
  const isWrong = confirm.error instanceof Problem && confirm.error.faults.length > 0
  return (
    <Form onSubmit={() => confirm.mutate(code)}>
      <Stack>
        <Text size="sm">{text.secondFactor.secretHint}</Text>
        <KeyImage uri={uri} />
        <Code block className="wrapped" aria-label={text.secondFactor.secret}>
          {secret.match(/.{4}/g)?.join(' ')}
        </Code>
        <Group>
          <CopyButton value={secret} label={text.secondFactor.copySecret} />
          <Anchor href={uri} size="sm">
            {text.secondFactor.open}
          </Anchor>
        </Group>
        {confirm.error && !isWrong && <FailureAlert error={confirm.error} />}
        <TextInput
          label={text.secondFactor.firstCode}
          error={isWrong && text.secondFactor.wrong}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={64}
          required
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {text.secondFactor.confirm}
          </Button>
          {onCancel && <CancelButton onClick={onCancel} />}
        </Group>
      </Stack>
    </Form>
  )
}

/** Shows recovery codes for the user to save. */
export function ShownCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const list = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text size="sm">{text.secondFactor.recoveryHint}</Text>
      <Code block aria-label={text.secondFactor.recovery}>
        {list}
      </Code>
      <Group>
        <CopyButton value={list} label={text.secondFactor.copyRecovery} />
        <Button
          size="xs"
          variant="default"
          onClick={() => saveFile(new Blob([list], { type: 'text/plain' }), 'graphstead-recovery-codes.txt')}
        >
          {text.download.title}
        </Button>
        <Button size="xs" onClick={onClose}>
          {text.secondFactor.kept}
        </Button>
      </Group>
    </Stack>
  )
}
