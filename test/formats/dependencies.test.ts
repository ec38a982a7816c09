import t from 'tap'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'

type Content = Awaited<ReturnType<typeof read>>['content']

/** Returns the endpoints and the relation of each edge. */
function edgesOf(content: Content) {
  return content?.edges.map(({ source, target, relation = '' }) => `${source} ${relation} ${target}`)
}

t.test(
  'dependencies in a lockfile are resolved as in Node.js',
  only('SQLite', 'readers use no database'),
  async (t) => {
    const { content, losses } = await read(undefined, {
      name: 'app',
      lockfileVersion: 3,
      packages: {
        '': {
          version: '1.0.0',
          dependencies: { a: '^1.0.0', b: '^1.0.0', '@app/ws': '*' },
          devDependencies: { gone: '1' }
        },
        'packages/ws': { name: '@app/ws', version: '0.1.0', dependencies: { b: '*' } },
        'node_modules/@app/ws': { resolved: 'packages/ws', link: true },
        'node_modules/a': { version: '1.1.0', dependencies: { b: '^2.0.0', c: '*' } },
        'node_modules/a/node_modules/b': { version: '2.0.0', peerDependencies: { a: '*' } },
        'node_modules/b': { version: '1.5.0', optionalDependencies: { fsevents: '*' } },
        'node_modules/c': { version: '1.0.0', dependencies: { b: '*' } }
      }
    })
    t.same(edgesOf(content), [
      'app@1.0.0 dependencies a@1.1.0',
      'app@1.0.0 dependencies b@1.5.0',
      'app@1.0.0 dependencies @app/ws@0.1.0',
      'app@1.0.0 devDependencies gone',
      '@app/ws@0.1.0 dependencies b@1.5.0',
      'a@1.1.0 dependencies b@2.0.0',
      'a@1.1.0 dependencies c@1.0.0',
      'b@2.0.0 peerDependencies a@1.1.0',
      'c@1.0.0 dependencies b@1.5.0'
    ])
    t.same(losses, { 'aspects-dropped': 1, 'node-not-in-table': 1 })
    const hidden = {
      lockfileVersion: 3,
      packages: { 'node_modules/a': { dependencies: { b: '1' } }, 'node_modules/b': {} }
    }
    t.same(edgesOf((await read(undefined, hidden)).content), ['a dependencies b'])
  }
)

t.test('a package that npm ls lists twice is one node', async (t) => {
  const leaf = { c: { version: '3.0.0' } }
  const { content } = await read(undefined, {
    dependencies: { a: { version: '1.0.0', dependencies: leaf }, b: { missing: true, dependencies: leaf } },
    devDependencies: { c: '^3.0.0' }
  })
  t.same(content?.nodes, [
    { id: '.', label: '.' },
    { id: 'a@1.0.0', label: 'a', metadata: { version: '1.0.0' } },
    { id: 'b', label: 'b', metadata: { missing: true } },
    { id: 'c@3.0.0', label: 'c', metadata: { version: '3.0.0' } }
  ])
  t.same(edgesOf(content), [
    '. dependencies a@1.0.0',
    '. dependencies b',
    'b dependencies c@3.0.0',
    'a@1.0.0 dependencies c@3.0.0'
  ])
})

t.test('lockfiles of other versions and programs are refused', async (t) => {
  const old = await read(undefined, { lockfileVersion: 1, dependencies: { a: { version: '1.0.0' } } })
  t.same(
    old.faults.map(({ code }) => code),
    ['required']
  )
  const bun = { lockfileVersion: 1, workspaces: {}, packages: { a: ['a@1.0.0'] } }
  await t.rejects(read(undefined, bun), {
    message: 'This is a Bun lockfile. Import the output of npm ls --all --json instead.'
  })
})

t.test('SPDX: lists of described elements and of files add missing relationships', async (t) => {
  const document = {
    spdxVersion: 'SPDX-2.2',
    packages: [{ SPDXID: 'a', hasFiles: ['f', 'f'] }, { SPDXID: 'b' }],
    files: [{ SPDXID: 'f' }],
    documentDescribes: ['a', 'b']
  }
  const relationships = [
    { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'a' },
    { spdxElementId: 'a', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'DocumentRef-x:b' }
  ]
  const { content, losses } = await read(undefined, { ...document, relationships })
  t.same(edgesOf(content), [
    'SPDXRef-DOCUMENT DESCRIBES a',
    'a DEPENDS_ON DocumentRef-x:b',
    'SPDXRef-DOCUMENT DESCRIBES b',
    'a CONTAINS f'
  ])
  t.same(losses, { 'node-not-in-table': 1 })
})

t.test('components and packages with the same id are not merged in silence', async (t) => {
  const bom = (...components: object[]) => read(undefined, { bomFormat: 'CycloneDX', specVersion: '1.6', components })
  const twice = { name: 'a', version: '1' }
  const { content } = await bom({ ...twice, group: 'x' }, { ...twice, group: 'y' }, twice, twice)
  t.same(
    content?.nodes.map(({ id }) => id),
    ['x/a@1', 'y/a@1', 'a@1']
  )
  const faults = [
    ...(await bom({ ...twice, 'bom-ref': 'r' }, { name: 'b', 'bom-ref': 'r' })).faults,
    ...(await read(undefined, { spdxVersion: 'SPDX-2.3', packages: [{ SPDXID: 'p' }, { SPDXID: 'p' }] })).faults
  ]
  t.same(
    faults.map(({ code, pointer }) => [code, pointer]),
    [
      ['duplicate-id', '#/components/1'],
      ['duplicate-id', '#/packages/1']
    ]
  )
})
