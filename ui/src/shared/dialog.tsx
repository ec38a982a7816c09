import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEndedSession } from '../account/account.ts'
import { text } from '../text/index.ts'
import { FailureAlert, HasBanner } from './failure.tsx'
import { Form } from './form.tsx'
import { useReturnedFocus } from './use-returned-focus.ts'

/** A dialog that is open while it is rendered. */
export function Dialog({
  title,
  size,
  onClose,
  children
}: {
  title: string
  size?: string | undefined
  onClose: () => void
  children: ReactNode
}) {
  // Pressing Escape in the sign-in form on top must not close the dialog.
  const isCovered = Boolean(useEndedSession())
  useReturnedFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      {...(isCovered && { className: 'covered' })}
      title={title}
      {...(size && { size })}
    >
      <HasBanner value={false}>{children}</HasBanner>
    </Modal>
  )
}

/** The parts of a mutation that a dialog uses. */
interface Action {
  error: unknown
  isPending: boolean
}

/** A dialog that contains a form for an action. */
export function FormDialog({
  title,
  submit,
  action,
  isDisabled = false,
  isDanger = false,
  size,
  onSubmit,
  onClose,
  children
}: {
  title: string
  /** The label of the submit button. If absent, there is no button. */
  submit?: string | undefined
  action?: Action
  /** Whether to disable the submit button, for example because the form is incomplete. */
  isDisabled?: boolean
  isDanger?: boolean
  size?: string
  onSubmit?: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <Form onSubmit={() => onSubmit?.()}>
        <Stack>
          {action?.error != null && <FailureAlert error={action.error} />}
          {children}
          <Group justify="flex-end" gap="sm" className="dialog-actions">
            <Button variant="default" onClick={onClose}>
              {submit === undefined ? text.close : text.cancel}
            </Button>
            {submit !== undefined && (
              <Button
                type="submit"
                loading={action?.isPending ?? false}
                disabled={isDisabled}
                {...(isDanger && { color: 'red' })}
              >
                {submit}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}

/** Asks the user to confirm an action. */
export function ConfirmDialog({
  question,
  ...dialog
}: {
  title: string
  question: string
  submit: string
  action?: Action
  onSubmit: () => void
  onClose: () => void
}) {
  return (
    <FormDialog {...dialog} isDanger>
      <Text className="breakable">{question}</Text>
    </FormDialog>
  )
}
