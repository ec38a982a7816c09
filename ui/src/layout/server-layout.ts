import { expectAnswer, type GraphLayout } from '../api.ts'
import { type Network, type Positions, storedPositions } from '../graph/network/network.ts'

/** The positions of nodes, by id. */
export type PlacesById = ReadonlyMap<string, readonly [x: number, y: number]>

/** Loads the layout that the server keeps for a graph. */
export type LoadLayout = (signal: AbortSignal) => Promise<PlacesById>

/** Returns the layout once the server has computed it. `ask` sends the request. Throws Problem or Unreachable. */
export async function layoutFrom(
  ask: () => Promise<{ data?: GraphLayout | undefined; error?: unknown; response: Response }>,
  signal: AbortSignal
): Promise<PlacesById> {
  for (;;) {
    const { data, response } = await expectAnswer(ask())
    if (response.status !== 202) {
      const positions = (data?.positions ?? []) as [id: string, x: number, y: number][]
      return new Map(positions.map(([id, x, y]) => [id, [x, y]]))
    }
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000, signal)
  }
}

/** Waits until the time is over. Throws an AbortError if the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Returns the places as positions of the network. Places the remaining nodes near their neighbours. */
export function positionsFrom(network: Network, places: PlacesById): Positions | undefined {
  const nodes = network.nodes.map((node) => {
    const [x, y] = places.get(node.id) ?? []
    return x === undefined || y === undefined ? node : { ...node, x, y }
  })
  return storedPositions({ ...network, nodes })
}
