import t from 'tap'
import { ciphersIn } from '../src/cipher-set.ts'

const USED = 'ECDHE-RSA-AES256-GCM-SHA384'

t.test('of lists without end, only those in use are remembered', async (t) => {
  const used = ciphersIn(USED)
  const first = ciphersIn('NONSENSE-0')
  t.same([...used], [USED])
  for (let index = 1; index <= 150; index++) {
    ciphersIn(`NONSENSE-${index}`)
    if (index % 50 === 0) t.equal(ciphersIn(USED), used, 'the same object')
  }
  t.not(ciphersIn('NONSENSE-0'), first)
  t.same(ciphersIn('NONSENSE-0'), first)
})
