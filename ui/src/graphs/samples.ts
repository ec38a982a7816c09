import { useMutation } from '@tanstack/react-query'
import { samples } from '../../../graph/samples/index.ts'
import { api, type GraphContent, type GraphRecord, take } from '../api.ts'
import { loadPage } from '../shared/load-page.ts'
import { text } from '../text/index.ts'
import { refreshGraphs } from './graphs.ts'

type SampleName = keyof typeof samples

export const sampleNames = Object.keys(samples) as SampleName[]

/** Creates a graph from a sample and then calls `open`, even if the list of graphs has already replaced the samples. */
export function useCreateSample(open: (graph: GraphRecord) => void) {
  return useMutation({
    mutationFn: async (sample: SampleName) => {
      const { default: content } = await loadPage<{ default: GraphContent }>(sample, samples[sample])
      const { name, description, type } = text.samples.graphs[sample]
      return take(api.POST('/api/graphs', { body: { name, description, type, shared: false, content } }))
    },
    onSuccess: (graph) => {
      open(graph)
      return refreshGraphs()
    }
  })
}
