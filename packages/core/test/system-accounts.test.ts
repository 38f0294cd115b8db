import { utimesSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { SystemAccounts } from '../src/services/system-accounts.ts'
import { TurnClock, watchFile } from '../src/services/watch-file.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function accountsIn(dir: string): SystemAccounts {
  const clock = new TurnClock()
  return new SystemAccounts((paths, parse) => watchFile(clock, paths, parse), `${dir}/passwd`, `${dir}/group`)
}

t.test('users and groups of the system are known by number', async (t) => {
  const dir = t.testdir({
    passwd:
      '# comment:x:7:\nroot:x:0:0:root:/root:/bin/sh\ntoor:x:0:0::/:\nbad line\n:x:3:\nodd:x:0x5:\nb\xc3\xb3b:x:1001:1001::/:\n+nis\n',
    group: 'root:x:0:\nstaff:x:50:alice,bob\n',
  })
  const accounts = accountsIn(dir)
  t.same(
    [0, 1001, 3, 5, 7, 50].map((uid) => accounts.userName(uid)),
    ['root', Buffer.from('b\xc3\xb3b').toString('latin1'), null, null, null, null],
  )
  t.same(
    [0, 50, 1001].map((gid) => accounts.groupName(gid)),
    ['root', 'staff', null],
  )
})

t.test('a changed file counts, and one that is missing has no names', async (t) => {
  const dir = t.testdir({ passwd: 'old:x:1:\n' })
  utimesSync(`${dir}/passwd`, 1, 1)
  const accounts = accountsIn(dir)
  t.equal(accounts.userName(1), 'old')
  t.equal(accounts.groupName(1), null)
  writeFileSync(`${dir}/passwd`, 'newer:x:1:\n')
  await turn()
  t.equal(accounts.userName(1), 'newer')
})
