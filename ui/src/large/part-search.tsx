import type { SearchMatch } from '../api.ts'
import { nodesOf } from '../search/search.ts'
import { SearchField } from '../search/search-field.tsx'
import { MatchOption } from '../search/search-results.tsx'
import { text } from '../text/index.ts'

/** Finds nodes and edges of one graph. `onFind` is called with the ids of the node, or of the ends of the edge. */
export function PartSearch({ graph, onFind }: { graph: number; onFind: (nodes: string[]) => void }) {
  const optionOf = (match: SearchMatch) => JSON.stringify(nodesOf(match))
  return (
    <SearchField
      label={text.search.label}
      graph={graph}
      options={(results) =>
        results.flatMap(({ matches }) =>
          matches.map((match) => <MatchOption key={match.pointer} value={optionOf(match)} match={match} />)
        )
      }
      onChoose={(value) => onFind(JSON.parse(value))}
    />
  )
}
