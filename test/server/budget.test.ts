import t from 'tap'
import { Budget } from '../../graph/jobs/budget.ts'
import { guestOf, holderOf } from '../support/holders.ts'

t.test('a budget grants bytes until it is spent, and takes them back only once', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  const [one, two] = [budget.share(), budget.share()]
  one.take(60)
  two.take(40)
  t.equal(budget.isSpent, true)
  t.throws(() => two.take(1), { code: 'server-busy', message: 'All are taken.', circumstances: { retryAfter: 5 } })
  one.release()
  one.release()
  t.equal(budget.isSpent, false)
  two.take(60)
  t.throws(() => one.take(1), { code: 'server-busy' }, 'released bytes can be taken only once')
  t.equal(two.bytes, 100)
  two.giveBack(30)
  one.take(30)
  two.release()
  one.take(70)
  t.same([one.bytes, two.bytes, budget.isSpent], [100, 0, true], 'bytes can be returned in parts')
})

t.test('a user with less displaces the largest share of the user with the most', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  const lost: string[] = []
  const share = (owner: string, bytes: number, name?: string) => {
    const share = budget.share(name === undefined ? undefined : () => lost.push(name), { holder: holderOf(owner) })
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
  t.same(lost, ['large', 'bob'], 'another user has the most by then')
  t.throws(() => cid.take(40), { code: 'server-busy' }, 'no user displaces others to end up with more')
  t.same(lost, ['large', 'bob'])
  t.throws(() => share('ada', 100), { code: 'server-busy' })
})

t.test('data that must be accepted may take up to twice the budget', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  budget.share().take(100)
  const share = budget.share()
  share.take(100, { mustCome: true })
  t.throws(() => share.take(1, { mustCome: true }), { code: 'server-busy' })
})

t.test('guests share half of the budget, and members of a guest are treated equally', async (t) => {
  const budget = new Budget(100, 'All are taken.')
  const lost: string[] = []
  const share = (name: string, member: string, bytes: number) => {
    const share = budget.share(() => lost.push(`${name} ${member}`), { holder: guestOf(name, member) })
    share.take(bytes)
  }
  share('strangers', 'a', 30)
  share('visitors', 'b', 20)
  t.throws(() => share('visitors', 'b', 20), { code: 'server-busy' }, 'the other half is reserved for users')
  t.same(lost, [])
  share('visitors', 'b', 5)
  t.same(lost, ['strangers a'])
  share('strangers', 'a', 20)
  share('strangers', 'c', 5)
  t.throws(() => share('strangers', 'd', 30), { code: 'server-busy' })
  share('strangers', 'd', 15)
  t.same(lost, ['strangers a', 'strangers a'], 'the guest member with the most bytes loses some to a member with less')
  budget.share(undefined, { holder: holderOf('ada') }).take(50)
  t.equal(lost.length, 2)
})
