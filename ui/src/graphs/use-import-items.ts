import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { type Choices, withColumns } from './choices.ts'
import { stemOf } from './file-headers.ts'
import { refreshGraphs } from './graphs.ts'
import { nameOfGroup } from './group-names.ts'
import { importFile, inspectFile } from './import.ts'
import type { Item, Table, TableGroup } from './items.ts'
import { archiveOf, columnsOf } from './table-archive.ts'
import { fileNameOf, groupWithout, isPartOf, isSameGroup, shownOf } from './table-groups.ts'
import { matchOf } from './table-matches.ts'
import { sampleOf } from './table-sample.ts'

let keys = 0

/**
 * Returns the files of an import dialog with their reports. Combines a node table and its edge tables into one graph, until the
 * user separates them, and any other tables that the user chooses.
 */
export function useImportItems(files: File[]) {
  const [items, setItems] = useState<Item[]>([])
  const latest = useRef(new Map<number, TableGroup>())
  const change = (key: number, changes: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)))

  async function inspect(item: Item, format: string | undefined, choices: Choices = {}) {
    const { key, file, table, parts } = item
    // If the user has since made other choices, `choices` is a different object and the report is outdated.
    const settle = (changes: Partial<Item>) =>
      setItems((before) => before.map((item) => (item.choices === choices ? { ...item, ...changes } : item)))
    change(key, { report: undefined, error: undefined, table, format, choices, progress: 0 })
    try {
      const report = await inspectFile({ file, format, onProgress: (progress) => settle({ progress }) }, choices)
      // Keeps the name when the user makes other choices, because the user may have typed it.
      const name = !table && !parts && { name: report.name ?? stemOf(file.name) }
      const read = parts ? undefined : report.table
      const isPlain = report.format === 'csv' || report.format === 'tsv'
      const start = read && isPlain ? await sampleOf(file, read) : undefined
      settle({ report, table: read ?? table, values: start?.values, sample: start?.sample, progress: 1, ...name })
    } catch (error) {
      settle({ error, progress: 1 })
    }
  }

  async function add(added: File[]) {
    const fresh = added.map((file) => ({ key: keys++, file, name: stemOf(file.name), progress: 0 }))
    setItems((before) => [...before, ...fresh])
    // Files are inspected one at a time, because they may be large and the server reads only one at a time.
    for (const item of fresh) await inspect(item, undefined)
  }

  /** Combines tables. If they are those of a group with changes, keeps its name and the user's choices. */
  async function join(parts: TableGroup, group?: Item) {
    const name = fileNameOf(parts)
    const { key, choices = {} } = group?.parts ? group : { key: keys++ }
    const item = { key, name: nameOfGroup(parts), ...(group?.parts && group), file: new File([], name), parts }
    // With a new object, reports of the earlier archive are outdated.
    const waiting = { ...item, choices: { ...choices }, report: undefined, error: undefined, progress: 0 }
    setItems((before) => [...before.filter((item) => item.key !== key), waiting])
    latest.current.set(key, parts)
    try {
      const file = await archiveOf(parts, name)
      // The user may have changed the group since.
      if (latest.current.get(key) !== parts) return
      change(key, { file })
      await inspect({ ...item, file }, undefined, withColumns(choices, columnsOf(parts)))
    } catch {
      // A file was changed or removed after it was chosen. Its entry shows an error.
      if (latest.current.get(key) === parts) separate(item)
    }
  }

  function separate({ key, parts }: Pick<Item, 'key' | 'parts'>) {
    setItems((before) =>
      before
        .filter((item) => item.key !== key)
        .map((item) => (isPartOf(parts, item.key) ? { ...item, isApart: true } : item))
    )
  }

  /** Takes a table out of a group. */
  function takeOut(group: Item, table: Table) {
    const rest = group.parts && groupWithout(group.parts, table)
    if (!rest) return separate(group)
    change(table.key, { isApart: true })
    join(rest, group)
  }

  const joined = useRef<TableGroup>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares many ids, so only if the items changed
  useEffect(() => {
    const match = matchOf(items)
    if (!match || (joined.current && isSameGroup(joined.current, match.parts))) return
    joined.current = match.parts
    join(match.parts, match.group)
  }, [items])

  const isStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: adds the initial files once
  useEffect(() => {
    if (!isStarted.current) add(files)
    isStarted.current = true
  }, [])

  const remove = ({ key, parts }: Item) =>
    setItems((before) => before.filter((item) => item.key !== key && !isPartOf(parts, item.key)))

  return { items, shown: shownOf(items), add, inspect, join, takeOut, change, remove }
}

/** Imports the files that are ready and returns the graphs. As a mutation, it also notifies other tabs. */
export function useImport({ shown, change }: Pick<ReturnType<typeof useImportItems>, 'shown' | 'change'>) {
  return useMutation({
    mutationFn: async (shared: boolean) => {
      const graphs: GraphRecord[] = []
      for (const { key, file, format, choices, name } of shown.filter(isReady)) {
        try {
          change(key, { error: undefined, progress: 0 })
          const onProgress = (progress: number) => change(key, { progress })
          const graph = await importFile({ file, format, onProgress }, { ...choices, name, shared })
          graphs.push(graph)
          change(key, { graph, progress: 1 })
        } catch (error) {
          change(key, { error, progress: 1 })
        }
      }
      await refreshGraphs()
      return graphs
    }
  })
}

/** Returns whether a file can be imported and has not been imported yet. */
export function isReady({ report, graph }: Item) {
  return report?.valid === true && !graph
}
