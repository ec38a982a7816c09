import { samples } from '../../graph/samples/index.ts'
import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'

/** A version of a sample graph, which either has new content or restores an earlier version. */
interface DemoVersion {
  message: string
  content?: GraphContent
  restores?: number
}

/** The versions of a graph, oldest first. */
export type DemoVersions = [DemoVersion & { content: GraphContent }, ...DemoVersion[]]

export interface DemoGraph {
  name: string
  type: string
  description: string
  tags: string[]
  versions: DemoVersions
}

const NETWORKX = 'Licence: BSD-3-Clause, as part of NetworkX.'
const OWN = 'Licence: MIT, as part of Graphstead.'

/** Loads the graphs of the demo. The last graph is the one that gets a link. */
export async function loadDemoGraphs(): Promise<DemoGraph[]> {
  const load = async (name: keyof typeof samples): Promise<GraphContent> => (await samples[name]()).default
  const [novel, club, families] = await Promise.all([
    load('lesMiserables'),
    load('karateClub'),
    load('florentineFamilies')
  ])
  return [
    {
      name: 'Les Misérables',
      type: 'co-occurrence',
      description: `The characters of the novel by Victor Hugo, and how often they appear together. Source: Donald E. Knuth, The Stanford GraphBase, 1993. ${NETWORKX}`,
      tags: ['literature'],
      versions: [
        { message: 'Import the characters and their encounters', content: withoutMetadata(novel) },
        { message: 'Add the group of each character', content: novel }
      ]
    },
    {
      name: 'Karate club',
      type: 'social',
      description: `Friends in a karate club that split in two. Source: Wayne W. Zachary, An Information Flow Model for Conflict and Fission in Small Groups, 1977. ${NETWORKX}`,
      tags: ['people'],
      versions: [
        { message: 'Import the members and their friendships', content: withoutMetadata(club) },
        { message: 'Record which side each member chose when the club split', content: club }
      ]
    },
    {
      name: 'Florentine families',
      type: 'social',
      description: `Marriages between 15 families of Florence in the 15th century. Source: John F. Padgett and Christopher K. Ansell, Robust Action and the Rise of the Medici, 1993. ${NETWORKX}`,
      tags: ['people', 'history'],
      versions: [
        { message: 'Import the marriages', content: families },
        { message: 'Try the network without the Medici: it falls apart', content: withoutNode(families, 'Medici') },
        { message: 'Bring the Medici back', restores: 1 }
      ]
    },
    {
      name: 'Web shop',
      type: 'architecture',
      description: `The services of a fictional web shop, and which calls which. Source: written for this demo. ${OWN}`,
      tags: ['software'],
      versions: shopVersions
    },
    {
      name: 'Bridges of Königsberg',
      type: 'map',
      description: `The bridges over the Pregel from 1736 to today. Can you cross each exactly once? Source: Leonhard Euler, Solutio problematis ad geometriam situs pertinentis, 1736, and later history. ${OWN}`,
      tags: ['history', 'mathematics'],
      versions: bridgeVersions
    }
  ]
}

/** Returns the content without the metadata of its nodes. */
function withoutMetadata({ nodes, ...content }: GraphContent): GraphContent {
  return { ...content, nodes: nodes.map(({ metadata, ...node }) => node) }
}

function withoutNode({ nodes, edges, ...content }: GraphContent, id: string): GraphContent {
  return {
    ...content,
    nodes: nodes.filter((node) => node.id !== id),
    edges: edges.filter(({ source, target }) => source !== id && target !== id)
  }
}

const banks: Node[] = [
  { id: 'north', label: 'Altstadt (north bank)' },
  { id: 'south', label: 'Vorstadt (south bank)' },
  { id: 'kneiphof', label: 'Kneiphof (island)' },
  { id: 'lomse', label: 'Lomse (east)' }
]

/** Each bridge, with its endpoints, the year in which it opened if that was after 1736, and the year in which it closed. */
const bridges: [name: string, source: string, target: string, opened: number, closed?: number][] = [
  ['Krämerbrücke', 'north', 'kneiphof', 1736, 1972],
  ['Schmiedebrücke', 'north', 'kneiphof', 1736, 1944],
  ['Grüne Brücke', 'kneiphof', 'south', 1736, 1972],
  ['Köttelbrücke', 'kneiphof', 'south', 1736, 1944],
  ['Honigbrücke', 'kneiphof', 'lomse', 1736],
  ['Holzbrücke', 'north', 'lomse', 1736],
  ['Hohe Brücke', 'south', 'lomse', 1736],
  ['Kaiserbrücke', 'south', 'lomse', 1905, 1944],
  ['Elevated road (north)', 'north', 'kneiphof', 1972],
  ['Elevated road (south)', 'kneiphof', 'south', 1972],
  ['Jubilee Bridge', 'south', 'lomse', 2005]
]

const bridgeVersions: DemoVersions = [
  { message: '1736: Euler proves that no walk crosses each of the seven bridges once', content: bridgesIn(1736) },
  { message: '1905: the Kaiserbrücke opens, and such a walk exists', content: bridgesIn(1905) },
  { message: '1944: the war destroys three bridges', content: bridgesIn(1944) },
  { message: '1972: an elevated road replaces two bridges', content: bridgesIn(1972) },
  { message: '2005: the Jubilee Bridge opens where the Kaiserbrücke was', content: bridgesIn(2005) }
]

function bridgesIn(year: number): GraphContent {
  const standing = bridges.filter(([, , , opened, closed = Infinity]) => opened <= year && year < closed)
  return {
    directed: false,
    nodes: banks,
    edges: standing.map(([name, source, target]) => ({ id: name, source, target, label: name }))
  }
}

const shopNodes: Record<string, Node> = Object.fromEntries(
  [
    ['browser', 'Browser', 'client'],
    ['shop', 'Shop', 'service'],
    ['catalogue', 'Catalogue', 'service'],
    ['payments', 'Payments', 'service'],
    ['mailer', 'Mailer', 'service'],
    ['orders', 'Orders database', 'database'],
    ['search', 'Search index', 'database'],
    ['queue', 'Queue', 'queue'],
    ['bank', 'Bank', 'external'],
    ['mail', 'E-mail provider', 'external']
  ].map(([id = '', label = '', kind = '']) => [id, { id, label, metadata: { kind } }])
)

const shopVersions: DemoVersions = [
  {
    message: 'Draw the shop as it is',
    content: shopOf('browser shop HTTPS', 'shop orders SQL', 'shop search HTTP', 'shop bank HTTPS', 'shop mail SMTP')
  },
  {
    message: 'Move the catalogue and payments to services of their own',
    content: shopOf(
      ...['browser shop HTTPS', 'shop orders SQL', 'shop catalogue HTTP', 'catalogue search HTTP'],
      ...['shop payments HTTP', 'payments bank HTTPS', 'shop mail SMTP']
    )
  },
  {
    message: 'Send e-mail through a queue, so that orders do not wait for it',
    content: shopOf(
      ...['browser shop HTTPS', 'shop orders SQL', 'shop catalogue HTTP', 'catalogue search HTTP'],
      ...['shop payments HTTP', 'payments bank HTTPS', 'shop queue AMQP', 'mailer queue AMQP', 'mailer mail SMTP']
    )
  }
]

/** Returns a graph of these calls. Each call consists of the ids of the calling and called services, and the protocol. */
function shopOf(...calls: string[]): GraphContent {
  const edges = calls.map((call): Edge => {
    const [source = '', target = '', protocol = ''] = call.split(' ')
    return { source, target, relation: 'calls', metadata: { protocol } }
  })
  const called = new Set(edges.flatMap(({ source, target }) => [source, target]))
  return { directed: true, nodes: Object.values(shopNodes).filter(({ id }) => called.has(id)), edges }
}
