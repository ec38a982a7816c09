import { Anchor, Badge, Drawer, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AuditEvent } from '../api.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatExactTime, text } from '../text/index.ts'
import { useAudit } from './audits.ts'
import { Name } from './name.tsx'
import { Proof } from './proof.tsx'

/** Colours dark enough for white text. */
const outcomeColours: Record<AuditEvent['outcome'], string> = {
  SUCCESS: '#216e31',
  FAILURE: '#a33b06',
  DENIED: '#b02525'
}

/** The outcome of an event. */
export function Outcome({ outcome }: { outcome: AuditEvent['outcome'] }) {
  return <Badge color={outcomeColours[outcome]}>{text.audits.outcomes[outcome]}</Badge>
}

/** The target of an event, with a link to it. */
export function Target({ event: { target } }: { event: AuditEvent }) {
  if (!target) return null
  const { type, id, name, version } = target
  if (type !== 'GRAPH' || name === '') {
    return (
      <span className="breakable">
        <Name name={name} />
      </span>
    )
  }
  return (
    <Anchor component={Link} href={`/graphs/${id}`} className="breakable">
      {version === undefined ? name : text.audits.version(name, version)}
    </Anchor>
  )
}

/** All details of one event. */
export function EventDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const audit = useAudit(id)
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={text.audits.event(id)}>
      {audit.isPending && <Loading />}
      {audit.error && <FailureAlert error={audit.error} retry={() => audit.refetch()} />}
      {audit.data && <Event event={audit.data} />}
      {audit.data && <Proof id={id} />}
    </Drawer>
  )
}

function Event({ event }: { event: AuditEvent }) {
  const { timestamp, principal, type, outcome, target, request, data } = event
  const rows: [string, ReactNode][] = [
    [text.audits.time, formatExactTime(timestamp)],
    [text.audits.exactTime, mono(timestamp)],
    [text.audits.principal, <Name key="principal" name={principal} />],
    [text.audits.type, `${text.audits.types[type]} (${type})`],
    [text.audits.outcome, <Outcome key="outcome" outcome={outcome} />]
  ]
  if (target) {
    rows.push([text.audits.target, <Target key="target" event={event} />])
    rows.push([text.audits.targetId, `${text.audits.targetTypes[target.type]} ${target.id}`])
    const { version } = target
    if (target.type === 'GRAPH' && version !== undefined) {
      const href = `/graphs/${target.id}/history?to=${version}`
      rows.push([
        text.history.version,
        <Anchor key="v" component={Link} href={href}>
          {text.version(version)}
        </Anchor>
      ])
    }
  }
  if (request) {
    rows.push([text.audits.ip, mono(request.ip)])
    rows.push([text.audits.route, mono(`${request.method} ${request.route}`)])
    rows.push([text.audits.userAgent, request.userAgent])
    if (request.token) rows.push([text.audits.token, text.audits.tokenOf(request.token.name, request.token.id)])
    rows.push([text.audits.request, mono(request.id)])
  }
  return (
    <>
      <Facts rows={rows} />
      {(principal === '' || target?.name === '') && (
        <Text size="sm" c="dimmed" mt="xs">
          {text.audits.erasedHint}
        </Text>
      )}
      <Title order={3} size="h5" mt="lg" mb="xs">
        {text.audits.data}
      </Title>
      {Object.keys(data).length === 0 && <Text c="dimmed">{text.audits.noData}</Text>}
      <Facts rows={Object.entries(data)} />
    </>
  )
}

const mono = (value: string) => <span className="mono">{value}</span>

function Facts({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={150} className="breakable">
              {name}
            </Table.Th>
            <Table.Td className="breakable">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
