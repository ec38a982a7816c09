import { Alert, Button, Divider, Stack } from '@mantine/core'
import { useLocation, useSearch } from 'wouter'
import { text } from '../text/index.ts'
import { providerAddress, useProviderError, useSignInWays } from './provider.ts'

/** The button to sign in with the identity provider, and the last error. Renders nothing if no provider is configured. */
export function ProviderButton() {
  const ways = useSignInWays()
  const error = useProviderError()
  const [path] = useLocation()
  const search = useSearch()
  const name = ways.data?.provider
  if (name === undefined) return null
  const page = `${path}${search && `?${search}`}${globalThis.location.hash}`
  return (
    <Stack>
      {error && <Alert color="red">{error}</Alert>}
      {/* A plain link, because the server redirects the browser to the provider. */}
      <Button component="a" href={providerAddress(page)} variant="default" fullWidth>
        {text.provider.signIn(name)}
      </Button>
      <Divider label={ways.data?.passwordLogin ? text.provider.or : text.provider.administrators} />
    </Stack>
  )
}
