import { createContext, type ReactNode, useContext, useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { HandOverDialog } from '../sharing/hand-over-dialog.tsx'
import { DeleteGraphDialog } from './delete-graph-dialog.tsx'
import { DirectionDialog } from './direction-dialog.tsx'
import { EditGraphDialog } from './edit-graph-dialog.tsx'

const ReplaceContentDialog = lazyComponent('replace', () => import('./replace-content-dialog.tsx'))
const ShareDialog = lazyComponent('share', () => import('../sharing/share-dialog.tsx'))

interface Open {
  dialog: 'edit' | 'replace' | 'direction' | 'share' | 'handOver' | 'delete'
  graph: GraphRecord
}

const Opener = createContext<(open: Open) => void>(() => {})

/** Returns a function that opens a dialog for a graph. The dialog stays open if the graph leaves the list. */
export function useGraphDialogs() {
  return useContext(Opener)
}

/**
 * Renders the dialogs opened by the graph menus among its children. `onGone` is called after a graph is deleted or transferred.
 */
export function GraphDialogs({ children, onGone }: { children: ReactNode; onGone?: () => void }) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Opener value={setOpen}>
      {children}
      {open?.dialog === 'edit' && <EditGraphDialog graph={open.graph} onClose={close} />}
      {open?.dialog === 'replace' && <ReplaceContentDialog graph={open.graph} onClose={close} />}
      {open?.dialog === 'direction' && <DirectionDialog graph={open.graph} onClose={close} />}
      {open?.dialog === 'share' && (
        <ShareDialog
          graph={open.graph}
          onHandOver={() => setOpen({ dialog: 'handOver', graph: open.graph })}
          onClose={close}
        />
      )}
      {open?.dialog === 'handOver' && <HandOverDialog graph={open.graph} onClose={close} onDone={onGone} />}
      {open?.dialog === 'delete' && <DeleteGraphDialog graph={open.graph} onClose={close} onDeleted={onGone} />}
    </Opener>
  )
}
