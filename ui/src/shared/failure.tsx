import { Alert, Button, Center, Group, List, Loader, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext } from 'react'
import { type Fault, isProblem, Problem, Unreachable } from '../api.ts'
import { useIsLost } from '../connection.ts'
import { text } from '../text/index.ts'
import { ownOf, placeOf, withLabels } from './fault-place.ts'
import { PageMissing } from './load-page.ts'

/**
 * Returns the message for an error: the app's own text for known codes, or else a description of the error's faults, or else the
 * API's text.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Problem) || error.faults.length === 0) return titleOf(error)
  const faults = error.faults.slice(0, 3).map((fault) => `${placeOf(fault)} ${withLabels(fault.detail)}`.trim())
  return ownOf(text.failure.problems, error.code) ?? faults.join('; ')
}

/** Returns the message for an error, without its faults. */
function titleOf(error: unknown): string {
  if (error instanceof Unreachable) return text.failure.unreachable
  if (error instanceof PageMissing) return text.failure.pageMissing
  if (!(error instanceof Problem)) return text.failure.unexpected
  const { code, faults, message } = error
  return ownOf(text.failure.problems, code) ?? (faults.length > 0 ? text.failure.refused : withLabels(message))
}

/** Whether a banner on the page says that the server cannot be reached. */
export const HasBanner = createContext(false)

/**
 * Shows the error of an action until the next attempt, even if other responses arrive. `retry` repeats the request, and
 * `reload` fetches other people's changes. Hidden if the banner already says that the server cannot be reached.
 */
export function FailureAlert({ error, retry, reload }: { error: unknown; retry?: () => void; reload?: () => void }) {
  const isLost = useIsLost()
  const hasBanner = useContext(HasBanner)
  const isUnreachable = error instanceof Unreachable
  if (isUnreachable && retry && isLost && hasBanner) return null
  const faults = error instanceof Problem ? error.faults : []
  const requestId = error instanceof Problem && error.status >= 500 ? error.requestId : undefined
  return (
    <Alert
      color={isUnreachable ? 'gray' : 'red'}
      icon={isUnreachable ? <IconPlugConnectedX aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={titleOf(error)}
      role="alert"
    >
      {faults.length > 0 && <FaultList faults={faults} />}
      {requestId && (
        <Text size="sm" className="breakable">
          {text.failure.requestId(requestId)}
        </Text>
      )}
      {retry && (
        <Button variant="default" size="xs" mt="sm" onClick={retry}>
          {text.failure.retry}
        </Button>
      )}
      {reload && isProblem(error, 'version-conflict') && (
        <Button variant="default" size="xs" mt="sm" onClick={reload}>
          {text.failure.reload}
        </Button>
      )}
    </Alert>
  )
}

/** Lists faults with their locations. */
export function FaultList({ faults }: { faults: Fault[] }) {
  return (
    <List size="sm" className="breakable">
      {faults.map((fault, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: faults have no names, and their list does not change
        <List.Item key={index}>
          <b>{placeOf(fault)}</b> {fault.element && `${fault.element}: `}
          {withLabels(fault.detail)}
          {fault.count !== undefined && ` ${text.failure.times(fault.count, fault.lines ?? [])}`}
        </List.Item>
      ))}
    </List>
  )
}

/** Shows that data is loading. */
export function Loading({ label = text.loading }: { label?: string }) {
  return (
    <Center p="xl" role="status">
      <Group>
        <Loader size="sm" />
        <Text c="dimmed">{label}</Text>
      </Group>
    </Center>
  )
}

/** Says that there is no data and suggests what to do. `isPage` makes the title the heading of the page. */
export function Empty({ title, isPage, children }: { title: string; isPage?: boolean; children?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Title order={isPage ? 1 : 2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Center>
  )
}
