import t from 'tap'
import { credential, groupExists, userExists } from '../src/start/credentials.ts'

t.test('a number with a hash mark is a number, all else is a name', (t) => {
  t.strictSame([credential('#33'), credential('www-data'), credential('33'), credential('#x')], [33, 'www-data', '33', '#x'])
  t.end()
})

t.test('users and groups of the system exist, others do not', (t) => {
  const before = [process.geteuid?.(), process.getegid?.()]
  t.equal(userExists('root'), true)
  t.equal(userExists('#54321'), true)
  t.equal(userExists('no-such-user'), false)
  t.equal(groupExists('no-such-group'), false)
  t.strictSame([process.geteuid?.(), process.getegid?.()], before, 'asking changes nothing')
  t.end()
})
