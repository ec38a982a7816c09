import { Button, Text, Tooltip } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { text } from '../text/index.ts'
import { useKeys } from './use-keys.ts'

/** The first page of the help, a guide by task. */
export const HELP = '/help/'

/** A link to the help, which opens in a new tab, so that the page stays as it is. The `?` key opens it too. */
export function HelpLink() {
  useKeys([['shift+?', () => void window.open(HELP, '_blank', 'noopener')]])
  return (
    <Tooltip label={text.nav.helpKey}>
      <Button
        component="a"
        href={HELP}
        target="_blank"
        variant="subtle"
        color="gray"
        size="xs"
        px={6}
        aria-label={text.nav.help}
        visibleFrom="md"
      >
        <IconHelp size={20} aria-hidden />
        <Text span size="sm" ms={6} visibleFrom="lg">
          {text.nav.help}
        </Text>
      </Button>
    </Tooltip>
  )
}
