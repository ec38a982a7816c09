import { Alert, Box, Checkbox, List, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { GraphContent } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { formatNumber, text } from '../text/index.ts'
import { doubleColumns, guessRoles, type Role, rowKindOf } from './column-roles.ts'
import { PasteColumns } from './paste-columns.tsx'
import { type PastedTable, readTable } from './pasted-table.ts'
import { type Plan, planOf, type RowFault } from './plan.ts'

/** The maximum number of faults to list. */
const LISTED = 50

/** Applies a pasted table to an edit, after showing what is new, changed or invalid. */
export default function PasteDialog({
  content,
  pasted,
  onApply,
  onClose
}: {
  content: GraphContent
  pasted: string
  onApply: (content: GraphContent) => void
  onClose: () => void
}) {
  const [written, setWritten] = useState(pasted)
  const [source] = useDebouncedValue(written, 300)
  /** Undefined until the user chooses. */
  const [hasTitles, setHasTitles] = useState<boolean>()
  const [addsEdges, setAddsEdges] = useState<boolean>()
  const table = useMemo(() => (source.trim() === '' ? undefined : readTable(source, hasTitles)), [source, hasTitles])
  const read = typeof table === 'object' ? table : undefined
  const [roles, choose] = useRoles(read)
  const kind = rowKindOf(roles)
  const double = read && doubleColumns(read.header, roles)
  const plan = useMemo(() => read && planOf(content, read, roles, addsEdges), [content, read, roles, addsEdges])
  const isChange = plan !== undefined && [plan.nodes, plan.edges].some(({ added, changed }) => added + changed > 0)

  return (
    <FormDialog
      title={text.paste.title}
      submit={text.edit.apply}
      size="xl"
      isDisabled={!isChange || plan.faults.length > 0 || source !== written}
      onSubmit={() => {
        if (plan) onApply(plan.content)
        onClose()
      }}
      onClose={onClose}
    >
      <Textarea
        label={text.paste.table}
        description={text.paste.hint}
        error={typeof table === 'string' ? text.paste.tableFaults[table] : undefined}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
        rows={5}
        classNames={{ input: 'mono' }}
        wrap="off"
        data-autofocus
      />
      {table !== undefined && (
        <Checkbox
          label={text.paste.hasTitles}
          checked={read?.hasTitles ?? hasTitles ?? true}
          onChange={(event) => setHasTitles(event.currentTarget.checked)}
        />
      )}
      {read && <PasteColumns table={read} roles={roles} onChoose={choose} />}
      {read && !kind && <Alert color="yellow">{text.paste.missingColumns}</Alert>}
      {double && <Alert color="yellow">{text.paste.doubleColumns(...double)}</Alert>}
      {plan !== undefined && plan.byEnds > 0 && (
        <Checkbox
          label={text.paste.addsEdges(plan.byEnds)}
          checked={plan.addsEdges}
          onChange={(event) => setAddsEdges(event.currentTarget.checked)}
        />
      )}
      {plan && kind && !double && <Outcome plan={plan} />}
    </FormDialog>
  )
}

/** Returns the roles of the columns, which are guessed from the header until the user chooses them. */
function useRoles(table: PastedTable | undefined): [Role[], (roles: Role[]) => void] {
  const header = JSON.stringify(table?.header ?? [])
  const [chosen, setChosen] = useState<{ of: string; roles: Role[] }>()
  const guessed = useMemo(() => (table ? guessRoles(table) : []), [table])
  return [chosen?.of === header ? chosen.roles : guessed, (roles) => setChosen({ of: header, roles })]
}

/** Shows how many nodes and edges a pasted table adds or changes, and which rows have faults. */
function Outcome({ plan: { nodes, edges, byLabel, faults } }: { plan: Plan }) {
  return (
    <Stack gap="xs">
      <div role="status">
        {(['nodes', 'edges'] as const).map((kind) => {
          const { added, changed, same } = { nodes, edges }[kind]
          return added + changed + same === 0 ? null : (
            <Text key={kind} size="sm">
              {text.paste.counts[kind](formatNumber(added), formatNumber(changed), formatNumber(same))}
            </Text>
          )
        })}
        {byLabel > 0 && <Text size="sm">{text.paste.byLabel(byLabel)}</Text>}
      </div>
      {faults.length > 0 && (
        <Alert color="red" title={text.paste.faults(faults.length)}>
          <FaultyRows faults={faults} />
        </Alert>
      )}
    </Stack>
  )
}

function FaultyRows({ faults }: { faults: RowFault[] }) {
  return (
    <Box mah={160} className="scrolling" tabIndex={0}>
      <List size="sm">
        {faults
          .toSorted((a, b) => a.row - b.row)
          .slice(0, LISTED)
          .map(({ row, code, column = '' }) => (
            <List.Item key={row}>
              <b>{text.paste.row(row)}</b> {text.paste.rowFaults[code](column)}
            </List.Item>
          ))}
      </List>
      {faults.length > LISTED && <Text size="sm">{text.details.more(formatNumber(faults.length - LISTED))}</Text>}
    </Box>
  )
}
