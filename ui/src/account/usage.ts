import { useQuery } from '@tanstack/react-query'
import { api, expectAnswer } from '../api.ts'

/** The storage used by a user's graphs, and the limits, if any. Sizes are in bytes. */
export interface Usage {
  graphs: number
  bytes: number
  maxGraphs: number | undefined
  maxBytes: number | undefined
}

/** Parses the header `Graphstead-Usage`, such as `graphs=3, bytes=1024, max-graphs=10`. */
export function usageOf(header: string): Usage {
  const numbers = new Map(
    header.split(',').map((part) => {
      const [name = '', value] = part.trim().split('=')
      return [name, Number(value)]
    })
  )
  return {
    graphs: numbers.get('graphs') ?? 0,
    bytes: numbers.get('bytes') ?? 0,
    maxGraphs: numbers.get('max-graphs'),
    maxBytes: numbers.get('max-bytes')
  }
}

/** Returns the storage used by the user's graphs, and the names of the user's groups. */
export function useDetails() {
  return useQuery({
    queryKey: ['details'],
    queryFn: async () => {
      const { data, response } = await expectAnswer(api.GET('/api/account'))
      return { usage: usageOf(response.headers.get('graphstead-usage') ?? ''), groups: data?.groups ?? [] }
    }
  })
}
