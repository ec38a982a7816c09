import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { GraphRecord, ImportTable } from '../api.ts'
import { stemOf } from './file-headers.ts'
import { refreshGraphs } from './graphs.ts'
import { type Choices, importFile, inspectFile } from './import.ts'
import type { Item, TablePair } from './items.ts'
import { archiveOf, columnsOf, isSamePair, nameOfPair, pairOf } from './table-pair.ts'

let keys = 0

/**
 * Returns the files of an import dialog with their reports. Combines a node table and an edge table into one graph, unless the
 * user opts out.
 */
export function useImportItems(files: File[]) {
  const [items, setItems] = useState<Item[]>([])
  const [isJoining, setIsJoining] = useState(true)
  const pair = pairOf(items)
  const joint = pair && items.find(({ parts }) => parts && isSamePair(parts, pair))
  const shown = items.filter((item) => {
    if (item.parts) return item.graph !== undefined || (isJoining && item === joint)
    return !isJoining || (item.key !== pair?.nodes.key && item.key !== pair?.edges.key)
  })

  const change = (key: number, changes: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)))

  async function inspect(item: Item, format: string | undefined, choices: Choices = {}, basis?: ImportTable['basis']) {
    const { key, file, table, parts } = item
    // If the user has since made other choices, `choices` is a different object and the report is outdated.
    const settle = (changes: Partial<Item>) =>
      setItems((before) => before.map((item) => (item.choices === choices ? { ...item, ...changes } : item)))
    change(key, { report: undefined, error: undefined, table, format, choices, progress: 0 })
    try {
      const report = await inspectFile({ file, format, onProgress: (progress) => settle({ progress }) }, choices)
      // Keeps the name when the user makes other choices, because the user may have typed it.
      const name = !table && !parts && { name: report.name ?? stemOf(file.name) }
      const read = report.table && { ...report.table, ...(basis && { basis }) }
      settle({ report, table: read ?? table, progress: 1, ...name })
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

  async function join(parts: TablePair) {
    try {
      const item = { key: keys++, file: await archiveOf(parts), name: nameOfPair(parts), progress: 0, parts }
      setItems((before) => [...before, item])
      await inspect(item, undefined, columnsOf(parts), parts.edges.table.basis)
    } catch {
      // A file was changed or removed after it was chosen. Its entry shows an error.
      setIsJoining(false)
    }
  }

  const joined = useRef<TablePair>(undefined)
  useEffect(() => {
    if (!isJoining || !pair || (joined.current && isSamePair(joined.current, pair))) return
    joined.current = pair
    join(pair)
  })

  const isStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: adds the initial files once
  useEffect(() => {
    if (!isStarted.current) add(files)
    isStarted.current = true
  }, [])

  const remove = ({ key, parts }: Pick<Item, 'key' | 'parts'>) => {
    const keys = [key, parts?.nodes.key, parts?.edges.key]
    setItems((before) => before.filter((item) => !keys.includes(item.key)))
  }

  return {
    shown,
    joining: pair && !joint?.graph ? { pair, isJoining, setIsJoining } : undefined,
    add,
    inspect,
    change,
    remove
  }
}

/** Imports the files that are ready and returns the graphs. As a mutation, it also notifies other tabs. */
export function useImport({
  shown,
  change,
  remove
}: Pick<ReturnType<typeof useImportItems>, 'shown' | 'change' | 'remove'>) {
  return useMutation({
    mutationFn: async (shared: boolean) => {
      const graphs: GraphRecord[] = []
      for (const { key, file, format, choices, name, parts } of shown.filter(isReady)) {
        try {
          change(key, { error: undefined, progress: 0 })
          const onProgress = (progress: number) => change(key, { progress })
          const graph = await importFile({ file, format, onProgress }, { ...choices, name, shared })
          graphs.push(graph)
          change(key, { graph, progress: 1 })
          if (parts) for (const part of [parts.nodes, parts.edges]) remove({ key: part.key })
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
