import { createContext, type ReactNode, useContext, useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { DeleteGraphDialog } from './delete-graph-dialog.tsx'
import { EditGraphDialog } from './edit-graph-dialog.tsx'
import { ReplaceContentDialog } from './replace-content-dialog.tsx'

interface Open {
  dialog: 'edit' | 'replace' | 'delete'
  graph: GraphRecord
}

const Opener = createContext<(open: Open) => void>(() => {})

/** Returns a function that opens a dialog about a graph; the dialog stays open when the graph leaves its list. */
export function useGraphDialogs() {
  return useContext(Opener)
}

/** Holds the dialogs that the menus of graphs within open. */
export function GraphDialogs({ children, onDeleted }: { children: ReactNode; onDeleted?: () => void }) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Opener value={setOpen}>
      {children}
      {open?.dialog === 'edit' && <EditGraphDialog graph={open.graph} onClose={close} />}
      {open?.dialog === 'replace' && <ReplaceContentDialog graph={open.graph} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteGraphDialog graph={open.graph} onClose={close} onDeleted={onDeleted} />}
    </Opener>
  )
}
