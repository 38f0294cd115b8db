import t from 'tap'
import { proofLines } from '../src/gatewright/proof-report.ts'

t.test('a proof counts one class and one place in the singular', (t) => {
  const proof = { difference: null, closed: null, sampled: [] }
  t.match(proofLines({ ...proof, classes: 1, places: 1 }, '')[0], /^Equal: 1 class of requests, at 1 kind of places, /)
  t.match(proofLines({ ...proof, classes: 2, places: 3 }, '')[0], /^Equal: 2 classes of requests, at 3 kinds of places, /)
  t.end()
})
