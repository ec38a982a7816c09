import { Box, Button, Center, PasswordInput, Stack, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Form } from '../shared/form.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'

/** Asks for the password of a link. `children` explains why the last attempt failed. */
export function PasswordForm({
  isPending,
  onSubmit,
  children
}: {
  isPending: boolean
  onSubmit: (password: string) => void
  children: ReactNode
}) {
  useTitle(text.linkPage.protected)
  const [password, setPassword] = useState('')
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={380}>
        <Form onSubmit={() => onSubmit(password)}>
          <Stack>
            <Title order={1} size="h4">
              {text.linkPage.protected}
            </Title>
            {children}
            <PasswordInput
              label={text.password}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              maxLength={256}
              readOnly={isPending}
              required
            />
            <Button type="submit" loading={isPending} fullWidth>
              {text.linkPage.show}
            </Button>
          </Stack>
        </Form>
      </Box>
    </Center>
  )
}
