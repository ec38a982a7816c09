import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { call, login, run, serve } from '../support/program.ts'

t.test('groups and their members are added, listed, changed and removed without a server', async (t) => {
  const data = ['--data', t.testdir({})]
  const group = (...args: string[]) => run(['group', ...args, ...data])
  const nowhere = await run(['group', 'list', ...data], { GRAPHSTEAD_DATABASE_URL: '' })
  t.match(nowhere, { code: 2, stderr: /there is no Graphstead database/ })
  for (const user of ['ada', 'bob']) {
    await run(['user', 'add', user, '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  }
  t.same(await group('list'), { code: 0, stdout: '', stderr: '' })
  const steps: [string[], string][] = [
    [['add', 'lab', '--description', 'All who measure'], 'Created the group lab.\n'],
    [['add', 'hall'], 'Created the group hall.\n'],
    [['member', 'add', 'lab', 'bob'], 'bob is now a member of lab.\n'],
    [['member', 'add', 'lab', 'ada'], 'ada is now a member of lab.\n'],
    [['member', 'add', 'lab', 'ada'], 'ada is now a member of lab.\n'],
    [['member', 'list', 'lab'], 'ada\nbob\n'],
    [['list'], 'hall                         0 members\nlab                          2 members  All who measure\n'],
    [['set', 'lab', '--name', 'east', '--description', ''], 'lab was changed.\n'],
    [['member', 'remove', 'east', 'bob'], 'bob is no longer a member of east.\n'],
    [['remove', 'hall'], 'hall was removed.\n'],
    [['list'], 'east                         1 member\n']
  ]
  for (const [args, stdout] of steps) t.same(await group(...args), { code: 0, stdout, stderr: '' }, args.join(' '))
})

t.test('invalid arguments are reported and change nothing', async (t) => {
  const data = ['--data', t.testdir({})]
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  await run(['group', 'add', 'lab', ...data])
  const cases: [string[], number, string][] = [
    [[], 2, 'specify an action: add, list, set, remove, member; see graphstead group --help'],
    [['dance'], 2, 'unknown action dance: add, list, set, remove, member; see graphstead group --help'],
    [['constructor'], 2, 'unknown action constructor: add, list, set, remove, member; see graphstead group --help'],
    [['member'], 2, 'specify an action: add, remove, list; see graphstead group --help'],
    [['member', 'dance'], 2, 'unknown action member dance: add, remove, list; see graphstead group --help'],
    [['add'], 2, 'NAME is missing; see graphstead group --help'],
    [['add', 'a', 'b'], 2, 'too many arguments: b; see graphstead group --help'],
    [['member', 'add', 'lab'], 2, 'LOGIN is missing; see graphstead group --help'],
    [['add', 'Lab'], 2, 'NAME Lab must be 1 to 64 lower-case letters, digits or ._@-; see graphstead group --help'],
    [['set', 'lab'], 2, 'nothing to change: use --name or --description; see graphstead group --help'],
    [['add', 'lab'], 1, 'A group with this name already exists.'],
    [['set', 'hall', '--name', 'x'], 1, 'Group not found.'],
    [['remove', 'hall'], 1, 'Group not found.'],
    [['member', 'add', 'hall', 'ada'], 1, 'Group not found.'],
    [['member', 'add', 'lab', 'eve'], 1, 'User not found.'],
    [['member', 'list', 'hall'], 1, 'Group not found.']
  ]
  for (const [args, code, words] of cases) {
    const outcome = await run(['group', ...args, ...data])
    t.same(outcome, { code, stdout: '', stderr: `graphstead group: ${words}\n` }, args.join(' '))
  }
  t.equal((await run(['group', 'list', ...data])).stdout, 'lab                          0 members\n')
})

t.test('a running server applies the change to the next request, and the audit trail records it', async (t) => {
  const folder = t.testdir({})
  const data = ['--data', folder]
  const server = await serve(t, folder)
  const admin = await login(server.url)
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  const ada = await login(server.url, 'ada')
  await run(['group', 'add', 'lab', ...data])
  t.equal((await call(`${server.url}/api/graphs`, 'POST', { name: 'G' }, admin)).status, 201)
  const grant = `${server.url}/api/graphs/1/access/groups/lab`
  t.equal((await call(grant, 'PUT', { access: 'READ' }, admin)).status, 204)
  const seen = async () => (await call(`${server.url}/api/graphs/1`, 'GET', undefined, ada)).status
  t.equal(await seen(), 404)
  await run(['group', 'member', 'add', 'lab', 'ada', ...data])
  t.equal(await seen(), 200)
  await run(['group', 'remove', 'lab', ...data])
  t.equal(await seen(), 404)
  const trail = await call(`${server.url}/management/audits?targetType=GROUP&sort=id`, 'GET', undefined, admin)
  const told = trail.body.map(({ principal, type, data }: Record<string, unknown>) => [principal, type, data])
  t.same(told, [
    ['system', 'GROUP_CREATED', { 'name.new': 'lab' }],
    ['system', 'GROUP_UPDATED', { 'member.new': 'ada' }],
    ['system', 'GROUP_DELETED', { 'name.old': 'lab' }]
  ])
})
