import { setTimeout as sleep } from 'node:timers/promises'
import { hold, repeat, visit } from './attacker.ts'
import { createGraph } from './client.ts'
import { network } from './graphs.ts'
import { requestOf } from './load.ts'
import type { Server } from './processes.ts'

/** The information available to an attacker: the ports of the server, and the token, graphs and link of an ordinary user. */
export interface Target {
  port: number
  metricsPort: number
  /** The token of an ordinary user. */
  token: string
  /** A large graph owned by that user. */
  graphId: number
  /** A shared graph owned by another user. */
  sharedId: number
  /** A link to another graph of the user. `path` is its path in the API. */
  link: { path: string; publicId: string; secret: string }
}

export interface Attack {
  /** A description of the attack, for the table. */
  path: string
  /** Whether the server speaks TLS. */
  tls?: boolean
  /** Creates anything else that the attack needs, as the user with this token. */
  prepare?(server: Server, token: string): Promise<unknown>
  /** Begins the attack, which lasts until the process ends. */
  begin(target: Target): void
}

const KIB = 1024
const MIB = 1024 * KIB

/** The attacks by name. Each uses only the loopback interface, and lasts until its process ends. */
export const attacks: Record<string, Attack> = {
  'large-numbers': {
    path: '16 KiB of large numbers under a long name sent to /api/authenticate, 4 connections',
    begin(target) {
      const name = '😀'.repeat(1 * KIB)
      const body = `{"${name}":[${Array(2300).fill('1e99').join()}]}`
      repeat(target.port, 4, requestOf('POST', '/api/authenticate', { body }))
    }
  },
  'blank-name': {
    path: 'a 64 KiB name ending in U+0000, 4 connections',
    begin({ port, token }) {
      const body = `{"name":"${'a'.repeat(64 * KIB)}\\u0000"}`
      repeat(port, 4, requestOf('POST', '/api/graphs', { token, body }))
    }
  },
  'faults-in-a-file': {
    path: 'imports of 32 KiB of JSON with an error nested under long names, 4 connections',
    begin({ port, token }) {
      const name = 'é'.repeat(4 * KIB)
      const file = `{"nodes":[{"id":"a","metadata":{"${name}":[${Array(8000).fill('1').join()}]}},{"id":7}],"edges":[]}`
      repeat(port, 4, importOf(token, file, 'jgf'))
    }
  },
  'dot-products': {
    path: 'imports of 32 KiB of DOT whose subgraphs multiply edges, 2 connections',
    begin({ port, token }) {
      const names = Array.from({ length: 2700 }, (_, index) => `n${index}`).join(' ')
      repeat(port, 2, importOf(token, `digraph { { ${names} } -> { ${names} } }`, 'dot'))
    }
  },
  'strict-dot': {
    path: 'imports of a strict DOT graph with large subgraphs, 2 connections',
    begin({ port, token }) {
      const names = Array.from({ length: 600 }, (_, index) => `n${index}`).join(' ')
      repeat(port, 2, importOf(token, `strict graph { { ${names} } -- { ${names} } }`, 'dot'))
    }
  },
  'slow-files': {
    path: 'imports of 20,000 nodes and 100,000 edges, 8 connections of one user',
    begin({ port, token }) {
      repeat(port, 8, importOf(token, JSON.stringify({ graph: jgf(20_000, 100_000) }), 'jgf'))
    }
  },
  exports: {
    path: 'downloads of a graph of 20,000 nodes and 100,000 edges in GraphML and GEXF, 8 connections of one user',
    begin({ port, token, graphId }) {
      const exports = ['graphml', 'gexf'].map((format) =>
        requestOf('GET', `/api/graphs/${graphId}/content?format=${format}`, { token })
      )
      for (const request of exports) repeat(port, 4, request)
    }
  },
  'metrics-port': {
    path: 'GET // and other odd addresses on the metrics port, 8 connections',
    begin({ metricsPort }) {
      for (const path of ['//', '/\\', 'http://', '*']) repeat(metricsPort, 2, requestOf('GET', path))
    }
  },
  'trickled-headers': {
    path: 'headers sent byte by byte, on all connections',
    begin({ port }) {
      hold(port, 6000, (socket) => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
        const timer = setInterval(() => socket.write('x'), 1000)
        socket.once('close', () => clearInterval(timer))
      })
    }
  },
  'silent-handshakes': {
    path: 'TLS handshakes that never begin, on all connections',
    tls: true,
    begin({ port }) {
      hold(port, 6000, () => {})
    }
  },
  'slow-readers': {
    path: 'unread downloads of a large graph, 64 connections',
    begin({ port, token, graphId }) {
      const paths = ['', '/content?format=graphml', '/content?format=gexf', '/content?format=cx2']
      hold(port, 64, (socket, index) => {
        socket.write(requestOf('GET', `/api/graphs/${graphId}${paths[index % paths.length]}`, { token }))
        socket.pause()
      })
    }
  },
  'unread-pipelines': {
    path: '10,000 pipelined requests on each of 16 connections, with unread responses',
    begin({ port, token }) {
      const requests = Buffer.concat(Array(10_000).fill(requestOf('GET', '/api/graphs?size=100', { token })))
      hold(port, 16, (socket) => {
        socket.write(requests)
        socket.pause()
      })
    }
  },
  'stalled-uploads': {
    path: '32 MiB bodies that stop after their first bytes, 64 connections',
    begin({ port, token }) {
      const head = `POST /api/graphs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${32 * MIB - 1}\r\n\r\n{"name":`
      hold(port, 64, (socket) => socket.write(head))
    }
  },
  denials: {
    path: 'changes that are refused with 403, 16 connections',
    begin({ port, token, sharedId }) {
      repeat(port, 16, requestOf('PATCH', `/api/graphs/${sharedId}`, { token, body: '{"name":"mine"}' }))
    }
  },
  'large-writes': {
    path: 'PUT requests with 5 MiB of new content, 4 connections',
    begin({ port, token, graphId }) {
      const content = network(5000, 25_000)
      let round = 0
      repeat(port, 4, () => {
        const body = JSON.stringify({ id: graphId, name: 'Large', content: { ...content, label: `Round ${++round}` } })
        return requestOf('PUT', '/api/graphs', { token, body })
      })
    }
  },
  'wrong-passwords': {
    path: 'wrong passwords, each for a new username, 16 connections',
    begin({ port }) {
      let number = 0
      repeat(port, 16, () => {
        const body = JSON.stringify({ username: `nobody${++number}`, password: 'not the password at all' })
        return requestOf('POST', '/api/authenticate', { body })
      })
    }
  },
  searches: {
    path: 'lists filtered by non-matching words, 16 connections',
    begin({ port, token }) {
      let number = 0
      repeat(port, 16, () => requestOf('GET', `/api/graphs?q=nothing+${++number}&sort=description`, { token }))
    }
  },
  'link-pictures': {
    path: 'pictures of one link in different sizes, from 64 addresses',
    begin({ port, link }) {
      for (let visitor = 0; visitor < 64; visitor++) visit(port, link, visitor)
    }
  },
  'many-words': {
    path: 'POST of 110 KB with 14,000 words, 50 connections of one user',
    begin({ port, token }) {
      let round = 0
      repeat(port, 50, () => {
        round++
        const text = Array.from({ length: 14_000 }, (_, index) => `${(index * 7919 + round).toString(36)}x`).join(' ')
        return requestOf('POST', '/api/graphs', {
          token,
          body: JSON.stringify({ name: 'Words', content: texts(text) })
        })
      })
    }
  },
  'wide-tables': {
    path: 'imports of 16 KB of CSV with 8,000 columns, 50 connections from one user',
    begin({ port, token }) {
      repeat(port, 50, importOf(token, `${'a,'.repeat(8000)}\n`, 'csv'))
    }
  },
  'long-searches': {
    path: 'searches in three graphs with two million words, 32 connections of one user',
    async prepare(server, token) {
      for (let graph = 0; graph < 3; graph++) {
        const name = (index: number) => `zzz${(graph * 700_000 + index).toString(36)}`
        const text = Array.from({ length: 700_000 }, (_, index) => name(index)).join(' ')
        await createGraph(server, token, { name: `Words ${graph}`, content: texts(text) })
      }
    },
    begin({ port, token }) {
      repeat(port, 32, requestOf('GET', '/api/search?q=zzz', { token }))
    }
  },
  'link-passwords': {
    path: 'password changes on a link, by one user on 32 connections',
    begin({ port, token, link }) {
      let number = 0
      repeat(port, 32, () => {
        return requestOf('PATCH', link.path, { token, body: `{"password":"another password ${++number}"}` })
      })
    }
  },
  'small-chunks': {
    path: 'sign-ins whose bodies are one-byte chunks without end, 16 connections',
    begin({ port }) {
      const chunks = '1\r\n \r\n'.repeat(10_000)
      hold(port, 16, (socket) => {
        const send = () => {
          while (socket.writable && socket.write(chunks));
        }
        socket.write(
          'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
        )
        socket.on('drain', send)
        send()
      })
    }
  },
  'two-addresses': {
    path: 'bodies that stop after their first byte, on all connections of two addresses',
    begin({ port }) {
      const head =
        'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{'
      for (const address of ['127.0.1.1', '127.0.1.2']) hold(port, 3000, (socket) => socket.write(head), address)
    }
  },
  'unknown-members': {
    path: 'POST of 24 MB of unknown members, 4 connections of one user',
    begin({ port, token }) {
      const members = Array.from({ length: 1_500_000 }, (_, index) => `"u${index}":0`).join()
      repeat(port, 4, requestOf('POST', '/api/graphs', { token, body: `{"name":"x",${members}}` }))
    }
  },
  garbage: {
    path: 'bytes that are not HTTP, on 16 connections that are reopened',
    begin({ port }) {
      repeat(port, 16, Buffer.from('\x16\x03\x01 \r\n\r\n'))
    }
  }
}

/** Returns a graph in JSON Graph Format, without the outer object. */
export function jgf(nodeCount: number, edgeCount: number) {
  const { nodes, edges } = network(nodeCount, edgeCount)
  return { nodes: Object.fromEntries(nodes.map(({ id, ...node }) => [id, node])), edges }
}

/** Returns a graph whose node labels together contain the text. */
function texts(text: string) {
  const parts = text.match(/.{1,2000}(?: |$)/g) ?? []
  return { nodes: parts.map((label, index) => ({ id: String(index), metadata: { label } })), edges: [] }
}

export function importOf(token: string, file: string, format: string, headers: Record<string, string> = {}) {
  const type = { 'Content-Type': 'application/octet-stream', ...headers }
  return requestOf('POST', `/api/graphs/import?format=${format}`, { token, body: file, headers: type })
}

if (import.meta.main) {
  const [name = '', target = '', seconds = ''] = process.argv.slice(2)
  attacks[name]?.begin(JSON.parse(target) as Target)
  await sleep(Number(seconds) * 1000)
  process.exit()
}
