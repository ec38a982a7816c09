import t from 'tap'
import { read } from '../support/formats.ts'

// Columns of tables that are not edge lists can have values in common too. Such tables are refused, unless the user chooses the
// columns.

/** Reads a table. Returns the fault codes, or how the ends were found. */
async function ends(text: string) {
  const { faults, table } = await read(undefined, text)
  if (faults.length > 0) return faults.map(({ code }) => code)
  return [table?.sourceColumn, table?.targetColumn, table?.basis]
}

t.test('tables of measurements and answers are refused', async (t) => {
  const tables: Record<string, string> = {
    'before and after': 'patient,before,after\n1,5,4\n2,4,4\n3,6,5\n4,5,5\n',
    'the row names of R': '"","age"\n"1",3\n"2",1\n"3",2\n"4",4\n',
    'row names with a name': '"rownames","cases"\n1,3\n2,1\n3,2\n4,4\n',
    'counts with gaps': 'ozone,sun,wind\n41,19,7.4\nNA,41,8.0\n12,NA,12.6\n18,12,11.5\n',
    percentages: 'group,men,women\na,5%,7%\nb,7%,9%\nc,9%,5%\n',
    'prices with a currency': 'item,cost,price\na,$5,$7\nb,$7,$9\nc,$9,$11\n',
    'numbers with separators': 'town,old,new\na,"1,200","1,300"\nb,"1,300","1,400"\nc,"1,400","1,500"\n',
    goals: 'day,team_a,team_b\n2026-01-03,1,2\n2026-01-10,2,3\n2026-01-17,3,1\n',
    'points of players': 'player1,player2\n21,18\n18,21\n15,21\n',
    'sizes of samples': 'study,nA,meanA,nB,meanB\n1,10,0.5,12,0.7\n2,12,0.4,11,0.3\n',
    'heights of parents and children': 'parent,child\n170,168\n165,170\n180,175\n160,162\n',
    'heights in inches with decimals': 'parent,child\n70.5,61.7\n68.5,70.5\n65.5,68.5\n',
    'ages of families': 'parent,child\n35,5\n40,12\n41,40\n',
    'lengths of a head and a tail': 'species,head,tail\na,2,3\nb,3,3\nc,4,2\n',
    currents: 'station,upstream,downstream\na,1.5,2.5\nb,2.5,3.5\n',
    wind: 'time,u,v\n1,-3,2\n2,2,4\n3,4,-3\n',
    'a grid of plots': 'i,j,yield\n1,1,5\n1,2,6\n2,1,7\n2,2,8\n',
    'rows and columns': 'row,col,yield\n1,1,10.5\n1,2,11\n2,1,9.5\n2,2,12\n',
    'plots without a header': '1,1,10\n1,2,11\n2,1,9\n2,2,12\n',
    'columns A to J': 'site,A,B,C,D,E,F,G,H,I,J\nx,1,2,3,4,5,6,7,8,9,1\ny,1,2,3,4,5,6,7,8,1,2\n',
    'the columns of R': 'V1,V2,V3\n1,2,5\n2,3,6\n3,4,7\n',
    'a questionnaire': 'item1,item2,item3\n1,2,3\n2,3,1\n3,4,2\n',
    'answers in words': 'who,risk,effort\na,low,high\nb,high,mid\nc,mid,low\nd,low,mid\n',
    'title songs': 'song,artist,record\nHome,Ann,Home\nSea,Bob,Waves\nWaves,Bob,Waves\nHome,Cat,Live\n',
    'first and last names': 'name1,name2,hits\nRay,Hill,4\nJim,Dean,5\nGlen,Ford,6\n',
    'countries and capitals': 'country,capital\nPeru,Lima\nCuba,Havana\nMali,Bamako\n',
    'people and towns': 'name,town\nann,rome\nbob,oslo\ncid,rome\n',
    'words before and after': 'before,after\nlow,high\nhigh,low\nlow,mid\nmid,high\n',
    alleles: 'chrom,pos,ref,alt\n1,100,A,C\n1,200,C,T\n2,300,G,A\n',
    'age groups': 'from,to,label\n0,18,child\n18,65,adult\n65,120,old\n',
    'descending grades': 'grade,from,to\nA,90,100\nB,80,90\nC,70,80\n',
    'days in a row': 'start,end\n20200101,20200105\n20200105,20200110\n',
    reigns: 'king,from,to\nA,1 Jan 1900,Feb 2 1910\nB,Feb 2 1910,3 March 1920\n',
    grades: 'from,to,grade\n0,59,F\n60,69,D\n70,79,C\n',
    'ratings by ids': 'userId,movieId,rating\n1,2,5\n1,3,4\n2,3,3\n3,1,2\n',
    'outcomes without a header': '0,0,1.5,1.4\n0,1,1.5,1.4\n1,0,2.5,1.1\n1,1,2.5,1.1\n',
    'codes with leading zeros': 'county,seat\n001,002\n002,003\n003,001\n',
    'dates in eight digits': 'ordered,shipped\n20260103,20260104\n20260104,20260106\n20260104,20260107\n'
  }
  for (const [title, text] of Object.entries(tables)) t.same(await ends(text), ['ends-unclear'], title)
})

t.test('edges under the same names are taken', async (t) => {
  const tables: [text: string, source: string, target: string, basis: string][] = [
    ['parent,child\n1,2\n1,3\n2,4\n2,5\n', 'parent', 'child', 'names'],
    ['parent,child\n101,102\n101,103\n102,104\n102,105\n', 'parent', 'child', 'names'],
    ['parent,child\nanimal,dog\nanimal,cat\n', 'parent', 'child', 'names'],
    ['i,j,w\n1,2,5\n1,3,6\n2,3,7\n', 'i', 'j', 'names'],
    ['u,v,w\n0,1,0.5\n1,2,0.7\n2,0,0.9\n', 'u', 'v', 'names'],
    ['"","V1","V2"\n"1",1,2\n"2",1,3\n"3",2,3\n', 'V1', 'V2', 'names'],
    ['head,relation,tail\n1,5,2\n2,6,3\n3,5,1\n', 'head', 'tail', 'names'],
    ['user1,user2\n1,2\n1,3\n2,3\n', 'user1', 'user2', 'names'],
    ['numeric_id_1,numeric_id_2\n7,9\n8,12\n', 'numeric_id_1', 'numeric_id_2', 'names'],
    ['from_bus,to_bus,x\n1,2,0.1\n2,3,0.2\n3,1,0.3\n', 'from_bus', 'to_bus', 'names'],
    ['user_id,friend_id\n17,4\n23,9\n', 'user_id', 'friend_id', 'names'],
    ['from,to,type\n1,2,x\n2,3,y\n3,4,x\n', 'from', 'to', 'names'],
    ['from,to\n10,20\n20,30\n', 'from', 'to', 'names'],
    ['from,to,weight\n10,20,1\n20,30,2\n', 'from', 'to', 'names'],
    ['team1,team2\nrome,oslo\nbonn,rome\n', 'team1', 'team2', 'names'],
    ['hero1,hero2,film\na,b,1\nb,c,1\nc,a,2\n', 'hero1', 'hero2', 'content'],
    ['wer,wen\n817263544,29283746\n817263544,55512345\n29283746,55512345\n', 'wer', 'wen', 'content'],
    ['author,paper\nann,p1\nann,p2\nbob,p1\n', 'author', 'paper', 'order']
  ]
  for (const [text, ...found] of tables) t.same(await ends(text), found, text)
})

t.test('numbered nodes are edges under any two names', async (t) => {
  const rows = [1, 2, 3, 4].flatMap((step) => Array.from({ length: 12 }, (_, id) => [id, (id + step) % 12]))
  const text = (header: string, some: number[][]) => `${header}\n${some.map((row) => row.join(',')).join('\n')}\n`
  t.same(await ends(text('x1,x2', rows)), ['x1', 'x2', 'content'])
  t.same(await ends(text('x1,x2', rows).replaceAll(',', ' ')), ['x1', 'x2', 'order'], 'with spaces')
  t.same(await ends(text('x1,x2', [...rows, [3, 3]])), ['ends-unclear'], 'a number beside itself')
  t.same(await ends(text('x1,x2', [...rows, [3, 4]])), ['ends-unclear'], 'a row that repeats another')
  t.same(await ends(text('x1,x2', rows.slice(0, 20))), ['ends-unclear'], 'few rows')
  t.same(
    await ends(
      text(
        'x1,x2,x3',
        rows.map((row) => [...row, 5])
      )
    ),
    ['ends-unclear'],
    'a third column'
  )
})

t.test('the ends are not their labels', async (t) => {
  const text = 'Source,Destination,Source Label,Target Label\n1,2,Ann,Ann\n2,3,Ann,Bob\n'
  t.same(await ends(text), ['Source', 'Destination', 'names'])
  t.same(await ends('source_label,target_label\nann,bob\nbob,cid\n'), ['source_label', 'target_label', 'names'])
})

t.test('a second table is read with the first, or is a fault with its line', async (t) => {
  const edges = 'source,target,weight\na,b,1\nb,c,2\n'
  const result = async (text: string) => {
    const { faults, nodeCount, edgeCount, content } = await read('csv', text)
    return faults.length > 0
      ? faults.map(({ code, line }) => [code, line])
      : [nodeCount, edgeCount, content?.nodes.map(({ id, label = '' }) => id + label).join(' ')]
  }
  const together = [3, 2, 'aAnn bBob cCid']
  t.same(await result(`${edges}\nid,label\na,Ann\nb,Bob\nc,Cid\n`), together)
  t.same(await result(`id,label\na,Ann\nb,Bob\nc,Cid\n,\n${edges}`), together, 'the nodes first, after empty cells')
  t.same(await result(`${edges}\nperson,label\na,Ann\nb,Bob\nc,Cid\n`), together, 'the first column names the ends')
  t.same(await result(`${edges}\nplace,size\nrome,3\noslo,4\n`), [['several-tables', 5]])
  t.same(await result(`${edges}\nfrom,to\nx,y\n`), [['several-tables', 5]], 'two tables of edges')
  t.same(await result(`${edges}\nid,label\na,A\n\nid,size\na,2\n`), [['several-tables', 8]], 'three tables')
  t.same(await result(`${edges}\nc,a,3\n`), [3, 3, 'a b c'], 'an empty line among the edges')
  t.same(await result(`${edges}\n${edges}`), [3, 4, 'a b c'], 'the same header again')
})

t.test('partitions and vectors are refused by name', async (t) => {
  const infomap = 'This is a partition, which assigns nodes to modules. Import the network that it belongs to.'
  const pajek =
    'This is a Pajek partition or vector, with a value for each vertex. Import the network that it belongs to.'
  const files: [message: string, text: string][] = [
    [infomap, '# v2.7.1\n# node_id module flow\n10 1 0.04\n11 1 0.04\n'],
    [infomap, '# path flow name node_id\n1:1 0.04 "a" 1\n'],
    [infomap, '# Code length 3.4\n1:1:1 0.04 "a"\n'],
    [pajek, '*Vertices 3\r\n1\r\n1\r\n2\r\n'],
    [pajek, '*vertices 2\n0.5\n1e-3\n']
  ]
  for (const [message, text] of files) {
    t.equal(await read(undefined, text).catch((error) => error.message), message, text)
  }
  t.same(await ends('1 1\n2 1\n3 1\n4 2\n'), ['ends-unclear'], 'a partition without a name')
  t.equal((await read(undefined, '*Vertices 3\n1\n2\n3\n')).nodeCount, 3, 'vertices without labels')
})

t.test('a list of nodes with their neighbours is refused as such', async (t) => {
  const lists = ['a,b,c\nb,d\nc\nd,a,b,c\n', 'a;b;c;;\nb;a;;;\nc;a;b;d;e\nd;a;c;;\ne;c;;;\n']
  for (const text of lists) {
    const { faults } = await read('csv', text)
    t.same(
      faults.map(({ code, detail }) => [code, detail.startsWith('looks like an adjacency list')]),
      [['ends-unclear', true]],
      text
    )
  }
  const { faults } = await read('csv', 'n,a,b\n1,2,3\n4,5\n')
  t.same(
    faults.map(({ detail }) => detail.startsWith('starts a table with the columns')),
    [true]
  )
})

t.test('words of SQL and Cypher may name columns', async (t) => {
  for (const text of ['begin;end\na;b\nb;c\n', 'Set A;Set B\na;b\nb;a\n', 'match (id),target\na,b\nb,a\n']) {
    const { format, faults } = await read(undefined, text)
    t.same([format, faults.every(({ code }) => code === 'ends-unclear')], ['csv', true], text)
  }
})
