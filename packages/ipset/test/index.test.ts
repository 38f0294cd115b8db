import t from 'tap'
import * as ipset from '../src/index.ts'

t.test('the package exports these names and no others', async (t) => {
  t.same(Object.keys(ipset).sort(), [
    'AddressReader',
    'compileNetworks',
    'isLoopback',
    'isNetworkError',
    'looksLikeAddress',
    'matchesNetwork',
    'parseAddress',
    'parseNetwork',
  ])
})
