import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Group } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { NewNameField } from '../shared/name-field.tsx'
import { text } from '../text/index.ts'
import { useDeleteGroup, useGroup, useSaveGroup } from './groups.ts'

/** Creates a group, or edits the name and description of `group`. */
export function GroupDialog({
  group,
  onClose,
  onCreated
}: {
  group?: Group
  onClose: () => void
  onCreated?: (group: Group) => void
}) {
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const save = useSaveGroup(group)
  return (
    <FormDialog
      title={group ? text.editDescription : text.groups.create}
      submit={group ? text.save : text.create}
      action={save}
      onSubmit={() =>
        save.mutate(
          { name, description },
          {
            onSuccess: (saved) => {
              onClose()
              onCreated?.(saved)
            }
          }
        )
      }
      onClose={onClose}
    >
      <NewNameField
        label={text.groups.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        readOnly={save.isPending}
      />
      <Textarea
        label={text.groups.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        maxLength={500}
        readOnly={save.isPending}
        autosize
        minRows={2}
        maxRows={6}
      />
    </FormDialog>
  )
}

/** Explains what the members will lose, asks for confirmation, and then deletes a group. */
export function DeleteGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const details = useGroup(group.name)
  const remove = useDeleteGroup(group)
  return (
    <FormDialog
      title={text.delete}
      submit={text.delete}
      isDanger
      action={remove}
      isDisabled={!details.data}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {details.error && <FailureAlert error={details.error} retry={() => details.refetch()} />}
      {details.isPending && <Loading />}
      {details.data && (
        <Text className="breakable">
          {text.groups.deleteQuestion(group.name, details.data.members.length, details.data.graphCount)}
        </Text>
      )}
    </FormDialog>
  )
}
