import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useState } from 'react'
import { useProof } from '../account/use-proof.tsx'
import type { Scope } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { useCreateToken } from './tokens.ts'

const DAY = 24 * 60 * 60 * 1000
const lifetimes = ['7', '30', '90', '365']
const scopes = Object.keys(text.tokens.scopes) as Scope[]

/** Creates a token, then shows it once. */
export function NewTokenDialog({ login, onClose }: { login: string | undefined; onClose: () => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [days, setDays] = useState('90')
  const { proof, fields } = useProof()
  const create = useCreateToken(login)
  if (create.data) return <CreatedDialog token={create.data.token} onClose={onClose} />
  return (
    <FormDialog
      title={text.tokens.create}
      submit={text.create}
      action={create}
      isDisabled={chosen.length === 0}
      onSubmit={() =>
        create.mutate({
          name,
          scopes: scopes.filter((scope) => chosen.includes(scope)),
          expiresAt: new Date(Date.now() + Number(days) * DAY).toISOString(),
          ...proof
        })
      }
      onClose={onClose}
    >
      <TextInput
        label={text.tokens.name}
        description={text.tokens.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={255}
        autoComplete="off"
        readOnly={create.isPending}
        required
        data-autofocus
      />
      <Checkbox.Group
        label={text.tokens.rights}
        description={text.tokens.rightsHint}
        value={chosen}
        onChange={setChosen}
        required
      >
        <Stack gap="xs" mt="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={text.tokens.scopes[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={text.tokens.expires}
        data={lifetimes.map((value) => ({ value, label: text.tokens.days(Number(value)) }))}
        value={days}
        onChange={(value) => value && setDays(value)}
        allowDeselect={false}
      />
      {fields}
    </FormDialog>
  )
}

/** Shows a new token so that the user can copy it. */
function CreatedDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const clipboard = useClipboard()
  return (
    <FormDialog title={text.tokens.created} onClose={onClose}>
      <Text>{text.tokens.createdHint}</Text>
      <Group align="end" gap="sm">
        <TextInput
          label={text.tokens.token}
          value={token}
          readOnly
          className="growing"
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        {/* Browsers offer the clipboard API only over TLS or on localhost. */}
        {navigator.clipboard && <Button onClick={() => clipboard.copy(token)}>{text.copy.title}</Button>}
      </Group>
      <Text role="status" size="sm">
        {clipboard.copied ? text.copy.done : ''}
      </Text>
    </FormDialog>
  )
}
