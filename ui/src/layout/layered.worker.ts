import { layered } from '../../../picture/layout/layered.ts'
import type { LayoutTask } from './task.ts'
import { tellPlaces } from './worker-news.ts'

// The layered layout has its own worker, because dagre is twice the size of all other layouts combined.

self.onmessage = ({ data }: MessageEvent<LayoutTask>) => {
  const { method } = data
  if (method.name === 'layered') tellPlaces(data, () => layered({ ...data, ...method }))
}
