import type { GraphRecord } from '../api.ts'
import { mayChange, mayManage } from './graphs.ts'

/** The actions on several graphs, in the order of the menu. */
export const bulkKinds = ['addTags', 'removeTags', 'share', 'unshare', 'download', 'delete'] as const
export type BulkKind = (typeof bulkKinds)[number]

/** Returns whether the user has the right to perform the action on the graph. */
export const isPermitted: Record<BulkKind, (graph: GraphRecord) => boolean> = {
  addTags: mayChange,
  removeTags: mayChange,
  share: mayManage,
  unshare: mayManage,
  download: () => true,
  delete: mayManage
}
