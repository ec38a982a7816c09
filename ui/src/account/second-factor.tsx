import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatTime, text } from '../text/index.ts'
import { FactorSetup, ShownCodes } from './factor-setup.tsx'
import { PasswordProof } from './password-proof.tsx'
import { finishSetup, useRemoveSecondFactor, useRenewRecoveryCodes, useSecondFactor } from './second-factor-queries.ts'

type Step = 'begin' | 'renew' | 'remove'

/**
 * Sets up, renews or removes the caller's second factor. Each action asks for the password. Renewing and removing also ask for
 * a code.
 */
export function SecondFactor() {
  const { data, error, refetch } = useSecondFactor()
  const renew = useRenewRecoveryCodes()
  const remove = useRemoveSecondFactor()
  const [step, setStep] = useState<Step>()
  const cancel = () => setStep(undefined)
  if (error) return <FailureAlert error={error} retry={refetch} />
  if (!data) return <Loading />
  const { since, recoveryCodes } = data
  const steps: Step[] = since === null ? ['begin'] : ['renew', 'remove']
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {since === null ? text.secondFactor.off : text.secondFactor.on(formatTime(since), recoveryCodes)}
      </Text>
      {step === undefined ? (
        <Group>
          {steps.map((name) => (
            <Button key={name} variant="default" onClick={() => setStep(name)}>
              {text.secondFactor[name]}
            </Button>
          ))}
        </Group>
      ) : step === 'begin' ? (
        <FactorSetup
          onCancel={cancel}
          onDone={() => {
            setStep(undefined)
            finishSetup()
          }}
        />
      ) : step === 'remove' ? (
        <PasswordProof
          submit={text.secondFactor.remove}
          action={{ ...remove, mutate: (proof) => remove.mutate(proof, { onSuccess: cancel }) }}
          withCode
          onCancel={cancel}
        />
      ) : renew.data ? (
        <ShownCodes
          codes={renew.data.recoveryCodes}
          onClose={() => {
            renew.reset()
            setStep(undefined)
          }}
        />
      ) : (
        <PasswordProof submit={text.secondFactor.renew} action={renew} withCode onCancel={cancel} />
      )}
    </Stack>
  )
}
