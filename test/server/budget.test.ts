import t from 'tap'
import { Budget } from '../../graph/jobs/budget.ts'
import { shareHolderOf } from '../../plugins/http/networks.ts'

t.test('a budget gives bytes until none are left, and takes them back once', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  const [one, two] = [budget.share('ada'), budget.share('ada')]
  one.take(60)
  two.take(40)
  t.equal(budget.isSpent, true)
  t.throws(() => two.take(1), { code: 'server-busy', message: 'All are taken.', circumstances: { retryAfter: 5 } })
  one.release()
  one.release()
  t.equal(budget.isSpent, false)
  two.take(60)
  t.throws(() => one.take(1), { code: 'server-busy' }, 'and not twice')
  t.equal(two.bytes, 100)
  two.giveBack(30)
  one.take(30)
  two.release()
  one.take(70)
  t.same([one.bytes, two.bytes, budget.isSpent], [100, 0, true], 'and some of them before the rest')
})

t.test('a user with less takes the largest share of the user with most', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  const lost: string[] = []
  const share = (owner: string, bytes: number, name?: string) => {
    const share = budget.share(owner, name === undefined ? undefined : () => lost.push(name))
    share.take(bytes)
    return share
  }
  share('ada', 30, 'large')
  share('ada', 10, 'small')
  share('ada', 20)
  share('bob', 40, 'bob')
  const cid = share('cid', 10)
  t.same(lost, ['large'])
  cid.take(25)
  t.same(lost, ['large', 'bob'], 'which then is another')
  t.throws(() => cid.take(40), { code: 'server-busy' }, 'nobody gets more than the others by it')
  t.same(lost, ['large', 'bob'])
  t.throws(() => share('ada', 100), { code: 'server-busy' })
})

t.test('data that cannot be refused may double the budget', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  budget.share('ada').take(100)
  const share = budget.share('ada')
  share.take(100, { mustCome: true })
  t.throws(() => share.take(1, { mustCome: true }), { code: 'server-busy' })
})

t.test('a user is one owner wherever they are, and a stranger is their network', async (t) => {
  t.equal(
    shareHolderOf({ actor: { subject: 'ada' }, ip: '10.0.0.1' }),
    shareHolderOf({ actor: { subject: 'ada' }, ip: '10.0.0.2' })
  )
  t.equal(shareHolderOf({ ip: '2001:db8::1' }), shareHolderOf({ ip: '2001:db8::2' }))
  t.not(shareHolderOf({ ip: '10.0.0.1' }), shareHolderOf({ actor: { subject: '10.0.0.1' }, ip: '10.0.0.1' }))
})
