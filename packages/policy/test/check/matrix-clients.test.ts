import t from 'tap'
import { matrixClients } from '../../src/check/matrix-clients.ts'

const titles = (text: string): string[] => matrixClients(new Map([['site/.htaccess', text]])).map(({ title }) => title)

t.test(
  'each network that the rules name has a column, this machine has only one, and the stranger is in none of them',
  async (t) => {
    t.strictSame(titles('Require ip 10.0.0.0/8 192.0.2.0/24 127.0.0.0/8 ::1\n'), [
      '192.0.2.1',
      'stranger',
      'this machine',
      '10.0.0.1',
    ])
  },
)

t.test('users have columns only where a rule asks for one', async (t) => {
  t.strictSame(titles('Require user alice\n'), ['stranger', 'this machine', 'alice', 'any-user'])
})

t.test('where everybody is in a named network, the stranger is the client that expectations mean', async (t) => {
  t.strictSame(titles('Require ip 0.0.0.0/0\n').slice(0, 2), ['stranger', 'this machine'])
})
