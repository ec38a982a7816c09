import { layered } from './layered.ts'
import type { LayoutTask } from './task.ts'
import { tellPlaces } from './worker-news.ts'

// The layout in layers has a worker of its own, since dagre is twice as large as all others together.

self.onmessage = ({ data }: MessageEvent<LayoutTask>) => {
  const { method } = data
  if (method.name === 'layered') tellPlaces(data, () => layered({ ...data, ...method }))
}
