import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { isProblem } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { Slowed } from './visit.ts'

/** Explains why the graph cannot be shown. */
export function LinkFailure({ error, retry }: { error: unknown; retry?: () => void }) {
  useTitle(undefined)
  if (isProblem(error, 'link-not-found')) {
    return (
      <Stack align="center" gap="xs" p="xl" ta="center" role="alert">
        <Title order={1} size="h4">
          {text.linkPage.missing}
        </Title>
        <Text c="dimmed">{text.linkPage.missingHint}</Text>
      </Stack>
    )
  }
  if (isProblem(error, 'link-password-required')) {
    return <Alert color="red" role="alert" title={text.linkPage.wrongPassword} />
  }
  if (!(error instanceof Slowed)) return <FailureAlert error={error} {...(retry && { retry })} />
  return (
    <Alert color="red" role="alert" title={text.linkPage.slowed(error.seconds)}>
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          {text.failure.retry}
        </Button>
      )}
    </Alert>
  )
}
