import t from 'tap'
import { describeTarget } from '../src/describe-target.ts'

t.test('a request that is mapped to a file is described by its file', async (t) => {
  t.equal(describeTarget({ filename: '/srv/a b.txt', uri: '/a%20b.txt' }), '/srv/a b.txt')
})

t.test('a request without a file is described by its URI', async (t) => {
  t.equal(describeTarget({ filename: '', uri: '/server-status' }), 'uri /server-status')
})
