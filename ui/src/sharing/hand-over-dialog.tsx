import { Text } from '@mantine/core'
import { useState } from 'react'
import { useAccount } from '../account/account.ts'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { NameField } from '../shared/name-field.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { useHandOver, usePeople } from './sharing.ts'

/** Transfers a graph to another person, after explaining what the owner will lose. */
export function HandOverDialog({
  graph,
  onClose,
  onDone
}: {
  graph: GraphRecord
  onClose: () => void
  onDone?: (() => void) | undefined
}) {
  const [login, setLogin] = useState('')
  const { role } = useAccount()
  const people = usePeople()
  const handOver = useHandOver(graph)
  return (
    <FormDialog
      title={text.sharing.handOverTitle(graph.name)}
      submit={text.sharing.handOverSubmit}
      isDanger
      action={handOver}
      onSubmit={() =>
        handOver.mutate(login.trim(), {
          onSuccess: ({ owner }) => {
            notify({ message: text.sharing.handedOver(graph.name, owner) })
            onClose()
            // Administrators can still see the graph.
            if (role !== 'ADMIN') onDone?.()
          }
        })
      }
      onClose={onClose}
    >
      <Text size="sm">{role === 'ADMIN' ? text.sharing.handOverHint : text.sharing.handOverOwnHint}</Text>
      <NameField
        label={text.sharing.newOwner}
        value={login}
        onChange={setLogin}
        data={(people.data ?? []).filter((known) => known !== graph.owner)}
        readOnly={handOver.isPending}
      />
    </FormDialog>
  )
}
