import t from 'tap'
import { read } from '../support/formats.ts'

// Maven's dependency trees, and TGF, which Maven also writes.

t.test('a Maven log with several modules is read', async (t) => {
  const { format, content, losses } = await read(
    undefined,
    `[INFO] Scanning for projects...
[INFO] --- dependency:3.6.0:tree (default-cli) @ app ---
[INFO] g:app:war:1.0-SNAPSHOT
[INFO] +- g:lib:jar:1.0:compile
[INFO] |  \\- (g:util:jar:tests:2:runtime - omitted for duplicate)
[INFO] \\- g:util:jar:tests:2:runtime (optional)
[INFO] --- dependency:3.6.0:tree (default-cli) @ lib ---
[INFO] g:lib:jar:1.0
[INFO] \\- g:util:jar:tests:2:test
[INFO] BUILD SUCCESS
`
  )
  t.equal(format, 'maven-tree')
  t.same(losses, {})
  t.same(content, {
    directed: true,
    nodes: [{ id: 'g:app:war:1.0-SNAPSHOT' }, { id: 'g:lib:jar:1.0' }, { id: 'g:util:jar:tests:2' }],
    edges: [
      { source: 'g:app:war:1.0-SNAPSHOT', target: 'g:lib:jar:1.0', relation: 'compile' },
      {
        source: 'g:lib:jar:1.0',
        target: 'g:util:jar:tests:2',
        relation: 'runtime',
        metadata: { note: 'omitted for duplicate' }
      },
      {
        source: 'g:app:war:1.0-SNAPSHOT',
        target: 'g:util:jar:tests:2',
        relation: 'runtime',
        metadata: { note: 'optional' }
      },
      { source: 'g:lib:jar:1.0', target: 'g:util:jar:tests:2', relation: 'test' }
    ]
  })
  const lone = await read(undefined, 'g:a:jar:1.0\n')
  t.same([lone.format, lone.content?.nodes], ['maven-tree', [{ id: 'g:a:jar:1.0' }]])
  for (const text of ['10:20:30:40\n', 'fe80:1:2:3\n']) {
    await t.rejects(read(undefined, text), { code: 'format-unknown' }, text)
  }
  const { faults } = await read('maven-tree', 'g:a:jar:1\n+- g:b:jar:1:test\n|  |  |  \\- g:c:jar:1:test')
  t.same(
    faults.map(({ code, line }) => [code, line]),
    [['malformed', 3]]
  )
  t.same(
    (await read('maven-tree', 'nothing')).faults.map(({ code }) => code),
    ['required']
  )
})

t.test('TGF is read', async (t) => {
  const { format, content } = await read(undefined, '1\r\n2 two words\r\n#\r\n1 2 0.5\r\n2 1\r\n')
  t.equal(format, 'tgf')
  t.same(content, {
    directed: true,
    nodes: [{ id: '1' }, { id: '2', label: 'two words' }],
    edges: [
      { source: '1', target: '2', metadata: { weight: 0.5 } },
      { source: '2', target: '1' }
    ]
  })
  const codes = async (text: string) => {
    return (await read('tgf', text)).faults.map(({ code, line }) => [code, line])
  }
  t.same(await codes('1 a\n2 b\n'), [['required', undefined]], 'a file without edges')
  t.same(await codes('1 a\n1 b\n#\n1 3\n1'), [
    ['required', 5],
    ['duplicate-id', 2],
    ['unknown-node', 4]
  ])
})
