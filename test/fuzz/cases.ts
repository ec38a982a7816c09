import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formats } from '../../graph/formats/index.ts'
import { randomFrom } from '../../picture/model/random.ts'
import { jsonKinds } from './json-kinds.ts'

/** The target of a case: a named format, a file whose format is detected, a JSON body, or a header. */
export type Target = string

/**
 * An input of any length: repeated parts between a start and an end. In parts, `#` stands for a sequential number, and `##` for
 * a literal `#`.
 */
export interface Case {
  target: Target
  start: string
  /** The repeated parts, each with an equal share of the length. */
  parts: string[]
  end: string
  /** Repeated as often as the first part. */
  closing: string
}

/** Renders the case as an input of about this many characters. */
export function render({ start, parts, end, closing }: Case, length: number): string {
  const share = length / parts.length
  let text = start
  let opened = 0
  for (const [index, part] of parts.entries()) {
    const count = Math.max(1, Math.floor(share / (part.length + (index === 0 ? closing.length : 0))))
    if (index === 0) opened = count
    if (!part.includes('#')) text += part.repeat(count)
    else for (let number = 0; number < count; number++) text += numbered(part, number)
  }
  return text + (closing === '' ? '' : closing.repeat(opened)) + end
}

function numbered(part: string, number: number) {
  return part.replace(/##?/g, (mark) => (mark === '#' ? String(number) : '#'))
}

/** Returns a seeded random generator, which makes cases reproducible. */
export function randomOf(seed: number) {
  const next = randomFrom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: <T>(items: readonly T[]) => items[below(items.length)] as T, chance: (p: number) => next() < p }
}
export type Random = ReturnType<typeof randomOf>

/** The building blocks of a format: frames, each with a start and an end, and pieces to put between them. */
interface Grammar {
  frames: [start: string, end: string][]
  pieces: string[]
}

// biome-ignore format: packed lines
const xmlPieces = [
  '<node id="#">', '</node>', '<node id="#"/>', '<edge source="0" target="#"/>', '<a>', '</a>', '<a b="#"/>', ' a#="1"',
  'x', '&amp;', '&##65;', '&##x1F600;', '<![CDATA[x]]>', '<!-- x -->', '<?a b?>', '"', "'", '>', ']]>', '&', '<',
  ' xmlns:a#="x"', '\n', '\r\n', '<a:b xmlns:a="x"/>'
]
// biome-ignore format: packed lines
const jsonPieces = [
  '{', '}', '[', ']', ',', ':', '"a":', '"#":', '"a#":', '1', '0,', '1e99,', '9999999999999999,', '"x",', '"\\u00e9",',
  '"\\ud800",', '"\\\\":', '"\\"":', 'null,', '{},', '[],', '{"id":"#"},', '{"id":"a"},', '"__proto__":',
  '"metadata":{"a#":1},', '{"source":"0","target":"#"},', '{"a#":0},', '{"a":{"b":[1]}},', '"', '\\', ' ', '\n',
  '"😀#":0,', '"id":"#",', '-0.0e-0,'
]

// biome-ignore format: packed lines
const csvPieces = [
  'a', ',', ';', '\t', '|', '"', '""', '"a"', '\n', '\r', '\r\n', 'a,b\n', 'a#,b#\n', 'a,b,#\n', ',,', 'NA', '1,5',
  '"1,5"', '0,1,', 'a,b,Mutual\n', '#', '##', '## x\n', "'", '=', "'=", "';=", ' ', '-', '1', '1e9', 'true', 'c#,', 'x;=1',
  '\t=', '\u3000', '＝', 'sep=;\n'
]

// biome-ignore format: packed lines
const rdfPieces = [
  'a:a', 'a:a#', 'a:a# a:b a:b# .\n', 'a:a a:p "v#" .\n', 'a:a a:p# 1 ;', '<', '>', '<a#>', '<b> <c> <d#> .\n', '_:b#', ' ',
  '\n', '.', ';', ',', '[', ']', '(', ')', '"', '""', '"x"', "'", '\\', '\\u0041', '@en', '@', '^^', 'a:', ':', 'a ', '1', '-1.5e3',
  'true', '## x\n', '@prefix a#: <http://a#/> .\n', '@prefix a: <http://a#/> .\n', '%20', '[ a:b a:c# ]', '<<', '{', '_', '-',
  '<http://a/#> <http://a/p> <http://a/0> .\n', '<http://a/0> <http://a/p> "v#" .\n'
]

// biome-ignore format: packed lines
const grammars: Record<string, Grammar> = {
  'node-link': {
    frames: [
      ['{"nodes":[', '],"edges":[]}'],
      ['{"nodes":[{"id":"0"},', '{"id":"z"}],"edges":[]}'],
      ['{"nodes":[{"id":"0"}],"links":[', '{"source":"0","target":"0"}]}'],
      ['{"nodes":[{"id":"0","m":{', '"z":0}}],"edges":[]}'],
      ['{"graph":{', '"z":0},"nodes":[],"edges":[]}'],
      ['{"nodes":[{"id":"0",', '"z":0}],"edges":[]}']
    ],
    pieces: [
      ...jsonPieces,
      '{"id":#},', '{"name":"n#"},', '{"source":#,"target":#},', '{"id":[#]},',
      '{"source":{"id":#},"target":{"index":#}},'
    ]
  },
  jgf: {
    frames: [
      ['{"graph":{"nodes":{', '"z":{}},"edges":[]}}'],
      ['{"graph":{"nodes":[', '{"id":"z"}]}}'],
      ['{"graph":{"nodes":{"0":{}},"edges":[', '{"source":"0","target":"0"}]}}'],
      ['{"graph":{', '"nodes":[]}}'],
      ['{"graph":{"metadata":{', '"z":0}}}'],
      ['{"graphs":[', '{}]}']
    ],
    pieces: [
      ...jsonPieces,
      '"#":{},', '"#":{"label":"x"},', '"a":{},', '"a":{"metadata":{"x#":1}},', '"hyperedges":[],'
    ]
  },
  cytoscape: {
    frames: [
      ['{"elements":{"nodes":[', '{"data":{"id":"z"}}]}}'],
      ['[', '{"data":{"id":"z"}}]'],
      ['{"elements":[', '{"data":{"id":"z"}}]}'],
      ['{"data":[', '["a",1]],"elements":[]}'],
      ['{"elements":{"nodes":[{"data":{"id":"0"}}],"edges":[', '{"data":{"source":"0","target":"0"}}]}}']
    ],
    pieces: [
      ...jsonPieces,
      '{"data":{"id":"#"}},', '{"data":{"id":"#","parent":"0"},"position":{"x":1,"y":2}},',
      '{"data":{"source":"0","target":"#"}},', '["a#",1],', '{"group":"edges"},', '{"data":{"id":#},"classes":"a b"},'
    ]
  },
  cx2: {
    frames: [
      ['[{"CXVersion":"2.0"},{"nodes":[', '{"id":-1}]},{"status":[{"success":true}]}]'],
      ['[{"CXVersion":"2.0"},{"nodes":[{"id":0}]},{"edges":[', '{"s":0,"t":0}]},{"status":[{"success":true}]}]'],
      [
        '[{"CXVersion":"2.0"},{"attributeDeclarations":[{"nodes":{',
        '"z":{}}}]},{"nodes":[{"id":1},{"id":2}]},{"status":[{"success":true}]}]'
      ],
      ['[{"CXVersion":"2.0"},', '{"status":[{"success":true}]}]'],
      ['[{"CXVersion":"2.0"},{"networkAttributes":[', '{}]},{"status":[{"success":true}]}]']
    ],
    pieces: [
      ...jsonPieces,
      '{"id":#},', '{"id":#,"v":{"a":1}},', '{"id":#,"s":0,"t":#},', '"a#":{"d":"string","v":"x"},', '"a#":{"a":"b#"},',
      '{"nodes":[{"id":#}]},', '{"attributeDeclarations":[{"nodes":{"a#":{"v":1}}}]},',
      '{"status":[{"success":false,"error":"x"}]},', '{"x#":[]},'
    ]
  },
  graphml: {
    frames: [
      ['<graphml><graph edgedefault="directed">', '</graph></graphml>'],
      [
        '<graphml><key id="k" for="all" attr.name="k" attr.type="string"><default>d</default></key><graph edgedefault="directed">',
        '</graph></graphml>'
      ],
      ['<graphml><graph edgedefault="directed"><node id="0">', '</node></graph></graphml>'],
      ['<graphml><graph edgedefault="directed"><node id="0"><data key="k">', '</data></node></graph></graphml>'],
      ['<graphml>', '<graph edgedefault="directed"/></graphml>'],
      ['<graphml ', '><graph edgedefault="directed"/></graphml>'],
      ['<graphml><graph edgedefault="directed"><node id="', '"/></graph></graphml>'],
      ['<?xml ', '?><graphml/>'],
      ['', '<graphml/>']
    ],
    pieces: [
      ...xmlPieces,
      '<key id="k#" for="node" attr.name="n#" attr.type="string"><default>x</default></key>',
      '<key id="k#" attr.name="n" attr.type="int"/>', '<data key="k">x</data>', '<data key="k#">x</data>',
      '<desc>x</desc>', '<graph edgedefault="directed">', '</graph>', '<hyperedge/>', '<port name="#"/>',
      '<data key="k"><y:NodeLabel>x</y:NodeLabel></data>', '<y:Geometry x="1" y="2"/>', '<default>x</default>',
      '<edge id="#" source="0" target="0"><data key="k">x</data></edge>'
    ]
  },
  gexf: {
    frames: [
      ['<gexf><graph><nodes>', '</nodes></graph></gexf>'],
      [
        '<gexf><graph><attributes class="node">',
        '</attributes><nodes><node id="0"/><node id="1"/></nodes></graph></gexf>'
      ],
      [
        '<gexf><graph><attributes class="node"><attribute id="0" title="t" type="string"><default>d</default></attribute></attributes><nodes>',
        '</nodes></graph></gexf>'
      ],
      ['<gexf><graph><nodes><node id="0">', '</node></nodes></graph></gexf>'],
      ['<gexf><graph><nodes><node id="0"/></nodes><edges>', '</edges></graph></gexf>'],
      ['<gexf><meta><description>', '</description></meta><graph/></gexf>'],
      ['<gexf ', '><graph/></gexf>']
    ],
    pieces: [
      ...xmlPieces,
      '<attribute id="#" title="t#" type="string"><default>x</default></attribute>',
      '<attribute id="#" title="t" type="integer"/>', '<attvalue for="0" value="x"/>', '<attvalue for="#" value="x"/>',
      '<attvalues>', '</attvalues>', '<viz:color r="1" g="2" b="3"/>', '<viz:position x="1" y="2"/>',
      '<parent for="#"/>', '<spell start="1"/>', '<nodes>', '</nodes>',
      '<edge id="#" source="0" target="0" type="mutual"/>', '<edge source="0" target="0" weight="x"/>',
      '<attributes class="edge">', '</attributes>', '<node id="#" label="x" pid="0"/>'
    ]
  },
  gml: {
    frames: [
      ['graph [ ', ' ]'],
      ['graph [ node [ id 1 ', ' ] ]'],
      ['graph [ directed 1 node [ id 0 ] ', ' ]'],
      ['', ' graph [ ]'],
      ['graph [ graphsteadIds 1 ', ' ]']
    ],
    pieces: [
      '[', ']', ' ', '\n', '#', '##', '## x\n', 'a', 'a 1 ', 'a# 1 ', 'a "x" ', 'a [ ', ' ] ', 'node [ id # ] ',
      'node [ id # label "n#" ] ', 'edge [ source 0 target 0 ] ', 'edge [ source 0 target # ] ', '"', '1', '1.', 'e',
      '+', '-', 'inf', 'NAN ', '&amp;', '&', '_x0020_', '_', 'a_x0041_ 1 ', '"&##233;"', '.', ':', 'graph [ ] ',
      'graphics [ x 1 y 2 ] ', '_networkx_list_start ', 'Version 1 ', 'id # '
    ]
  },
  dot: {
    frames: [
      ['digraph {', '}'],
      ['graph {', '}'],
      ['strict digraph {', '}'],
      ['strict graph {', '}'],
      ['digraph { a [', '] }'],
      ['digraph { a [b=', '] }'],
      ['digraph { subgraph s {', '} -> {x y} }'],
      ['', 'digraph {}']
    ],
    pieces: [
      'a', 'a#', ' ', ';', '\n', '{', '}', '[', ']', ' -> ', ' -- ', ',', '=', '"', '"a"', '"a#"', '\\', '\\\n', ' + ',
      '/*', '*/', '/**/', '//x\n', '##x\n', '<', '>', '<b>', 'subgraph ', 'subgraph s ', 'subgraph s#', '{a b}',
      '{a# b#}', 'a -> b;', 'a# -> b#;', '{a b} -> {c d};', 'subgraph s {a#};', 'subgraph s;',
      'subgraph s -> subgraph s;', 'node [a=b];', 'node [a#=b];', 'edge [a#=b];', 'n [x=y];', 'n# [x=y];', ':', ':p:n',
      '1', '.', '-', '&amp;', '&##65;', 'é', 'strict ', '[a=b]', 'label=x;', 'cluster'
    ]
  },
  pajek: {
    frames: [
      ['*Vertices 3\n', '\n'],
      ['*Vertices 3\n*Arcs\n', '\n'],
      ['*Vertices 100000\n', '\n'],
      ['*Vertices 3\n*Matrix\n', '\n'],
      ['*Vertices 3\n*Arcslist\n', '\n'],
      ['*Network ', '\n*Vertices 1\n'],
      ['*Vertices 3\n*', '\n'],
      ['', '\n*Vertices 1\n']
    ],
    pieces: [
      '1 ', '2 ', '# ', '1 2\n', '1 2 1\n', '# "n#"\n', '1 "a" 0 0 0 ', '"', '"x" ', '[', ']', '[1-3] ', ' ', '\t',
      '\n', '\r\n', '%', '% x\n', '*', '*Arcs\n', '*Edges\n', '*Arcslist\n', '*Matrix\n', '*Arcs :1 "r"\n', '*a',
      '\u2028', '0 ', '0 0 0\n', 'ic Red ', 'l "x" ', '&##233;', '&', '-', '.', 'e', 'a'
    ]
  },
  csv: {
    frames: [
      ['Source,Target\n', ''],
      ['Source,Target,', '\na,b,c\n'],
      ['Id,Label\n', ''],
      ['', '\na,b\n'],
      ['Source;Target;Type;Weight\n', ''],
      [':START_ID(A),:END_ID(B)\n', ''],
      ['from,to,w\n', ''],
      [',a,b,c\n', '\na,0,1,0'],
      ['x,y,z\n', '']
    ],
    pieces: csvPieces
  },
  xlsx: {
    frames: [
      ['<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>', ''],
      ['<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row><row>', '</row>'],
      ['<row r="1"><c r="A1" t="inlineStr"><is><t>Id</t></is></c></row>', '<row r="1048576"><c r="XFD1"/></row>'],
      ['<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>', '</t></is></c></row>']
    ],
    pieces: [
      '<row>', '</row>', '<row/>', '<row r="#">', '<c>', '</c>', '<c r="XFD#"><v>1</v></c>', '<c t="s"><v>2</v></c>',
      '<row><c t="s"><v>2</v></c><c><v>#</v></c></row>', '<c t="e"><v>x</v></c>', '<c t="b"><v>1</v></c>', '<c s="1">',
      '<v>', '</v>', '<f>1</f>', '<is><t>', '</t></is>', '<rPh>', 'x', '#', '_x0041_', '&amp;', '<', '"', '\n', '1e9',
      '<row><c t="inlineStr"><is><t>a#</t></is></c><c t="str"><v>b#</v></c><c t="str"><f>1</f></c></row>',
      '<row r="#"><c r="XFD#"><v>#</v></c></row>'
    ]
  },
  json: {
    frames: [
      ['', ''],
      ['[', '0]'],
      ['{', '"z":0}'],
      ['{"name":"x","content":{"nodes":[', '],"edges":[]}}'],
      ['{"name":"x","content":{"nodes":[{"id":"0"}],"edges":[', '{"source":"0","target":"0"}]}}'],
      ['{"name":"x","content":{"nodes":[{"id":"0","metadata":{', '"z":0}}],"edges":[]}}'],
      ['{"name":"', '"}'],
      ['{"a":[[[[[[[[', '0]]]]]]]]}'],
      ['{"', '":[1e99,9999999999999999]}'],
      ['{"\\\\":[', '0]}']
    ],
    pieces: [
      ...jsonPieces,
      '[[[', ']]],', '{"a":', '"id":"', 'a', '\u0000', '\\u0000', '\\ud83d', '\\ude00', '{"x":1e999},'
    ]
  },
  header: {
    frames: [
      ['', ''],
      ['W/"', '"'],
      ['text/csv;', ''],
      ['Bearer ', ''],
      ['a=', ''],
      ['P', ''],
      ['attachment; filename="', '"']
    ],
    pieces: [
      'a', ' ', '\t', ',', ';', '=', '"', '*', '/', 'q=0.1', 'W/"a",', '"a",', 'text/csv,', 'text/*;q=0.5,',
      '; charset=', 'utf-8', '\\', '%20', '&', '?', '.', '-', '1', '1d', ':', '::', '/32', '%E2%82%AC', 'é', '\u0000',
      '_', 'x=y; '
    ]
  },
  tsv: {
    frames: [
      ['Source\tTarget\n', ''],
      ['Id\tLabel\n', '']
    ],
    pieces: csvPieces
  },
  gdf: {
    frames: [
      ['nodedef>name VARCHAR,x DOUBLE\n', ''],
      ['nodedef>name\n', '\nedgedef>node1,node2\na,b']
    ],
    pieces: [
      'a#,', "'", '"', '\\', ',', ' ', '\n', 'a#\n', 'edgedef>', 'edgedef>node1,node2 VARCHAR,directed BOOLEAN\n',
      'a#,b#,true\n', '1'
    ]
  },
  cx: {
    frames: [
      ['[{"nodes":[', '{"@id":-1}]},{"status":[{"success":true}]}]'],
      ['[{"nodes":[{"@id":0}]},{"nodeAttributes":[', '{"po":0,"n":"a","v":"b"}]},{"status":[{"success":true}]}]'],
      ['[{"nodes":[{"@id":0}]},{"nodeAttributes":[{"po":[', '0],"n":"a","v":"b"}]},{"status":[{"success":true}]}]'],
      ['[{"metaData":[]},', '{"status":[{"success":true}]}]']
    ],
    pieces: ['{"@id":#},', '{"@id":#,"n":"a#"},', '{"po":0,"n":"a#","v":"b"},', '0,', '#,', '{"nodes":[{"@id":#}]},', '"']
  },
  records: {
    frames: [
      ['[{"source":"a","target":"b"},', '{"source":"b","target":"c"}]'],
      ['{"_from":"a","_to":"b"}\n', '\n{"_from":"b","_to":"c"}'],
      ['[{"parent":1,"child":2,', '"z":0}]'],
      ['{"edges":[{"source":"a","target":"b"},', '{"source":"b","target":"c"}]}']
    ],
    pieces: [
      ...jsonPieces,
      '{"source":"a","target":"#","id":#},', '{"source":#,"target":{"id":"a#"},"type":"t"},', '{"_id":"#","name":"n"},',
      '{"_from":"#","_to":"a"}\n', '}', '}   ', '}\n'
    ]
  },
  xgmml: {
    frames: [
      ['<graph>', '</graph>'],
      ['<graph><node id="a">', '</node></graph>'],
      ['<graph><node id="a"><att name="l" type="list">', '</att></node></graph>']
    ],
    pieces: [
      '<node id="a#"/>', '<att name="a#" value="b"/>', '<att name="a">', '</att>', '<node id="b#"><att><graph>',
      '</graph></att></node>', '<edge source="a" target="a"/>', '<graphics x="#" y="1"/>', 'a'
    ]
  },
  sif: {
    frames: [
      ['a pp b\n', '\nc pp d'],
      ['a\tpp\tb\n', '']
    ],
    pieces: ['a#', ' ', '\t', '\n', 'a pp b\n', 'a# pp b# c#\n', 'pp', 'a#\n', '1']
  },
  'edge-list': {
    frames: [
      ['1 2\n', ''],
      ['# a\n1 2 0.5\n', '\n2 3 1'],
      ['1 2 {', '}\n'],
      ['# GMT Mon Nov \n', ''],
      ['%%MatrixMarket matrix coordinate real general\n3 3 2\n', '']
    ],
    pieces: [
      '1', '#', '##', ' ', '\t', '\n', '"', '"a"', ',', '{', '{}', '%', '## x\n', '1 #\n', 'a# b#\n', '1 2 {}\n', '0 1 0 ',
      '-', '.5', "{'a#': 1}", "'a': ", "'", '[', '(', ')', '1 2 {', '}', 'np.f(', '\\x41', '1 1\n'
    ]
  },
  turtle: {
    frames: [
      ['@prefix a: <http://a/> .\n', ''],
      ['@prefix a: <http://a/> .\na:a a:b ', ' .'],
      ['@prefix a: <http://a/> .\na:a a:b """', '""" .'],
      ['@base <http://a/b/> .\n', '']
    ],
    pieces: rdfPieces
  },
  mermaid: {
    frames: [
      ['graph TD\n', '\n'],
      ['flowchart LR\na["', '"]\n'],
      ['graph TD\na', ' --> b\n']
    ],
    pieces: [
      'a', 'a#', ' ', '\n', ';', '&', ' & ', ' --> ', ' --- ', '-- x --> ', '-.->', '==>', '-- ', '-. ', '== ', '<', '|', '|x|', '[', ']', '(',
      ')', '((', '))', '{', '}', '>', '[/', '/]', '[\\', '"', 'a# --> b#\n', 'subgraph s#\n', 'end\n', '%% x\n', ':::', '@', '@{', '~~~',
      '##quot;', '##', '<br>', 'style a x\n', '---\n', 'o', 'x', '-', '=', '.'
    ]
  },
  metis: {
    frames: [
      ['3 2\n2\n1 3\n2\n', ''],
      ['90000 10 011\n', '\n']
    ],
    pieces: ['1', '#', ' ', '\n', '1 2\n', '# 1\n', '% x\n', '%', '2 1 ', '0', '-', '.5', 'a', '\r\n', '3 2 111 4\n']
  },
  ucinet: {
    frames: [
      ['dl n=3\nlabels embedded\ndata:\n', ''],
      ['dl nr=2, nc=3, nm=2 format=edgelist2\nrow labels:\na,b\ndata:\n', '\n'],
      ['dl n=3, format=', '\ndata:\n1 2\n'],
      ['dl n=90000 diagonal absent\nlabels:\n', '\ndata:\n1 0\n']
    ],
    pieces: [
      '1', '0', '#', ' ', '\n', ',', '=', ':', '"', "'", '"a#"', 'a#', 'a# b#\n', '1 2\n', '1 2 0.5\n', '!\n', 'labels:', 'labels embedded\n',
      'matrix labels: a,b\n', 'col ', 'row ', 'data:\n', 'n=#\n', 'nm=2\n', 'lowerhalf', 'upperhalf', 'nodelist1', 'el1', 'title=x\n', '-', '.'
    ]
  },
  drawio: {
    frames: [
      ['<mxGraphModel><root>', '</root></mxGraphModel>'],
      ['<mxfile><diagram name="a"><mxGraphModel>', '</mxGraphModel></diagram></mxfile>'],
      ['<mxfile><diagram name="a">', '</diagram></mxfile>']
    ],
    pieces: [
      '<mxCell id="#" vertex="1" value="a"/>', '<mxCell id="#" edge="1" source="0" target="1"/>', '<object id="#" label="a" b="c">', '</object>',
      '<mxCell id="#" vertex="1" parent="0" style="html=1" value="&lt;b&gt;">', '<mxGeometry x="#" width="2"/>', '</mxCell>', 'jZJN', 'a', '=',
      '</diagram><diagram>'
    ]
  },
  vna: {
    frames: [
      ['*Node data\nID a\nx 1\n', ''],
      ['*Tie data\nfrom to strength\n', '\nx y 1'],
      ['*Node properties\nID x y color shortlabel\n', '\n']
    ],
    pieces: [
      'a#', ' ', '\n', ',', '"', '"a b"', 'x 1\n', 'a# b# 1\n', 'x 1 2 255 a\n', '*Node data\n', '*Tie data\n', '*Tie properties\n',
      '*Node properties\n', 'ID a#\n', '-', '.'
    ]
  },
  tgf: {
    frames: [['1 a\n2 b\n##\n1 2\n', '']],
    pieces: ['# n#\n', '##\n', '1 2\n', '1 # l#\n', '# 2\n', ' ', '\t', '\n', 'a', '1', '##', '\r\n']
  },
  'maven-tree': {
    frames: [['[INFO] g:a:jar:1\n[INFO] +- g:b:jar:1:test\n', '']],
    pieces: [
      '[INFO] ', '+- ', '\\- ', '|  ', '   ', 'g:c#:jar:1:test', 'g:c:jar:1', '\n', '+- g:d#:jar:1:test\n', ':', '.', '-', '(', ')',
      '|  \\- g:e:jar:1:test\n', ' - omitted', ' '
    ]
  },
  'n-triples': {
    frames: [['<http://a/0> <http://a/p> <http://a/1> .\n', '']],
    pieces: rdfPieces
  }
}
for (const [name, { frames, pieces }] of Object.entries(jsonKinds)) {
  grammars[name] = { frames, pieces: [...jsonPieces, ...pieces] }
}
grammars.any = {
  frames: Object.values(grammars).flatMap(({ frames }) => frames.slice(0, 2)),
  pieces: Object.values(grammars).flatMap(({ pieces }) => pieces)
}

// Faulty readers that the fuzzer must find.
grammars.cube = { frames: [['', '']], pieces: ['a'] }
grammars.hoard = grammars.cube
grammars.capped = grammars.cube

export const targets: Target[] = [...formats.map(({ name }) => name), 'any', 'json', 'header']

/** Slices of the samples are also used as pieces. */
const folder = join(import.meta.dirname, '..', 'samples')
const samples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => readFileSync(join(folder, name), 'latin1').slice(0, 20_000))

/** Returns the case for this seed. */
export function caseOf(seed: number, only?: Target): Case {
  const random = randomOf(seed)
  const target = only ?? random.pick(targets)
  const { frames, pieces } = grammars[target] as Grammar
  const piece = () => {
    if (random.chance(0.06)) {
      const sample = random.pick(samples)
      const at = random.below(sample.length)
      return sample.slice(at, at + 1 + random.below(60)).replaceAll('#', '##')
    }
    return random.chance(0.04) ? String.fromCharCode(random.below(0x3100)) : random.pick(pieces)
  }
  const some = () => Array.from({ length: random.chance(0.5) ? 1 : 1 + random.below(5) }, piece).join('')
  const [start, end] = random.chance(0.9) ? random.pick(frames) : ['', '']
  return {
    target,
    start: start + (random.chance(0.2) ? some() : ''),
    parts: Array.from({ length: random.chance(0.6) ? 1 : 2 + random.below(2) }, some),
    end: (random.chance(0.3) ? some() : '') + end,
    closing: random.chance(0.15) ? some() : ''
  }
}

/** The texts that follow a run of one piece: nothing, or text that makes a pattern backtrack over the run. */
const TAILS = ['', '\n#\n', '!']

/**
 * Yields every piece of the format on its own, and combined with each numbered piece, such as a declaration together with its
 * uses. Pieces of different formats are not combined.
 */
export function* walkOf(target: Target): Generator<Case> {
  const { frames, pieces } = grammars[target] as Grammar
  const caseIn = ([start, end]: [string, string], part: string, tail = ''): Case => {
    return { target, start, parts: [part], end: tail + end, closing: '' }
  }
  for (const frame of frames) for (const piece of pieces) for (const tail of TAILS) yield caseIn(frame, piece, tail)
  if (target === 'any') return
  const growing = pieces.filter((piece) => /(?<!#)#(?!#)/.test(piece))
  for (const one of growing) {
    for (const other of pieces)
      if (other !== one) for (const frame of frames.slice(0, 2)) yield caseIn(frame, one + other)
  }
}
