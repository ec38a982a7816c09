import { Checkbox, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord, Link } from '../api.ts'
import { dayOf } from '../shared/day.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { hasPublicUrl, originsIn, useLinks, useSaveLink } from './links.ts'
import { OriginsField } from './origins-field.tsx'
import { useLinkView, ViewChoice } from './view-choice.tsx'

/** Creates or edits a link to a graph. */
export function LinkDialog({
  graph,
  link,
  onClose
}: {
  graph: GraphRecord
  link: Link | undefined
  onClose: () => void
}) {
  const save = useSaveLink(graph.id, link)
  // The addresses of links show whether the server knows its own address.
  const { data: links = [] } = useLinks(graph.id)
  const known = link ?? links[0]
  const [name, setName] = useState(link?.name ?? '')
  const [version, setVersion] = useState<number | string>(link?.version ?? '')
  const dayBefore = link?.expiresAt === undefined ? '' : dayOf(new Date(link.expiresAt))
  const [lastDay, setLastDay] = useState(dayBefore)
  const [password, setPassword] = useState('')
  const [removesPassword, setRemovesPassword] = useState(false)
  const [origins, setOrigins] = useState(link?.origins.join('\n') ?? '')
  const [downloads, setDownloads] = useState(link?.downloads ?? false)
  const [preview, setPreview] = useState(link?.preview ?? false)
  const choice = useLinkView(link)
  const hasPassword = password !== '' || (link?.hasPassword === true && !removesPassword)
  const pictureHint = known && !hasPublicUrl(known) ? text.links.pictureLost : text.links.pictureHint
  const submit = () =>
    save.mutate(
      {
        name: name.trim() || null,
        version: version === '' ? null : Number(version),
        ...choice.patch,
        ...(lastDay !== dayBefore && { expiresAt: lastDay ? endOf(lastDay) : null }),
        ...(password !== '' && { password }),
        ...(removesPassword && { password: null }),
        origins: originsIn(origins),
        downloads,
        preview: preview && !hasPassword
      },
      { onSuccess: onClose }
    )
  return (
    <FormDialog
      title={link ? text.links.changeOne(link.name) : text.links.create}
      submit={link ? text.save : text.create}
      action={save}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={text.links.name}
        description={text.links.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <ViewChoice graph={graph} hint={text.links.viewHint} {...choice.field} />
      <NumberInput
        label={text.links.shownVersion}
        description={text.links.shownVersionHint(graph.version)}
        value={version}
        onChange={setVersion}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        hideControls
      />
      <TextInput
        type="date"
        label={text.links.lastDay}
        description={text.links.lastDayHint}
        value={lastDay}
        onChange={(event) => setLastDay(event.currentTarget.value)}
      />
      <PasswordInput
        label={text.password}
        description={link?.hasPassword ? text.links.passwordKept : text.links.passwordHint}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
        minLength={8}
        maxLength={256}
        disabled={removesPassword}
      />
      {link?.hasPassword && (
        <Checkbox
          label={text.links.withoutPassword}
          checked={removesPassword}
          onChange={(event) => setRemovesPassword(event.currentTarget.checked)}
        />
      )}
      <OriginsField hint={text.links.originsHint} value={origins} onChange={setOrigins} />
      <Switch
        label={text.links.downloads}
        description={text.links.downloadsHint}
        checked={downloads}
        onChange={(event) => setDownloads(event.currentTarget.checked)}
      />
      <Switch
        label={text.links.picture}
        description={hasPassword ? text.links.pictureNone : pictureHint}
        checked={preview && !hasPassword}
        disabled={hasPassword}
        onChange={(event) => setPreview(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}

/** Returns the time at which a day ends in the user's time zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}
