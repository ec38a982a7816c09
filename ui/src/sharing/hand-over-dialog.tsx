import { Autocomplete, Text } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { useHandOver, usePeople } from './sharing.ts'

/** Hands a graph over to another person, after saying what its owner loses. */
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
  const people = usePeople()
  const handOver = useHandOver(graph)
  return (
    <FormDialog
      title={text.sharing.handOverTitle(graph.name)}
      submit={text.sharing.handOverSubmit}
      isDanger
      error={handOver.error}
      isPending={handOver.isPending}
      onSubmit={() =>
        handOver.mutate(login.trim(), {
          onSuccess: ({ owner }) => {
            notify({ message: text.sharing.handedOver(graph.name, owner) })
            onClose()
            onDone?.()
          }
        })
      }
      onClose={onClose}
    >
      <Text size="sm">{text.sharing.handOverHint}</Text>
      <Autocomplete
        label={text.sharing.newOwner}
        value={login}
        onChange={setLogin}
        data={(people.data ?? []).filter((known) => known !== graph.owner)}
        limit={20}
        openOnFocus={false}
        disabled={handOver.isPending}
        maxLength={64}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        required
        data-autofocus
      />
    </FormDialog>
  )
}
