import { Button, Menu, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { paths } from '../../../clients/typescript/src/generated.ts'
import type { AuditFormat, AuditQuery } from '../api.ts'
import { text } from '../text/index.ts'

const EXPORT = '/management/audits/export' satisfies keyof paths

const formats = Object.keys(text.audits.export.formats) as AuditFormat[]

/** Exports the matching events. The browser streams them to disk, because there may be millions. */
export function ExportMenu({ query, total }: { query: AuditQuery; total: number | undefined }) {
  return (
    <Menu position="bottom-end" width={320} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          disabled={total === undefined || total === 0}
        >
          {text.audits.export.title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {total !== undefined && <Menu.Label fw={400}>{text.audits.export.content(total)}</Menu.Label>}
        {formats.map((format) => (
          <Menu.Item key={format} component="a" href={addressOf(query, format)} download>
            {text.audits.export.formats[format].name}
            <Text size="xs" c="dimmed">
              {text.audits.export.formats[format].hint}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function addressOf(query: AuditQuery, format: AuditFormat) {
  const parameters = Object.entries({ ...query, format }).map(([name, value]) => [name, String(value)])
  return `${EXPORT}?${new URLSearchParams(parameters)}`
}
