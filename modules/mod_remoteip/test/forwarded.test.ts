import { isNetworkError, parseNetwork } from '@gatewright/ipset'
import t from 'tap'
import type { ProxyNetwork, Trust } from '../src/config.ts'
import { readForwarded } from '../src/forwarded.ts'
import { ProxyList } from '../src/proxy-list.ts'

function list(...entries: readonly (readonly [Trust, string])[]): ProxyList {
  return new ProxyList(
    entries.map(([trust, text]): ProxyNetwork => {
      const network = parseNetwork(text)
      if (isNetworkError(network)) throw new Error(text)
      return { network, trust }
    }),
  )
}

/** `CLIENT | LEFT | PROXIES`, or why nothing is believed. */
function read(field: string, proxies: ProxyList): string {
  const { forwarded, doubt } = readForwarded(field, '127.0.0.1', proxies)
  const why = doubt === null ? '' : ` ${doubt.kind} ${doubt.value}`
  return forwarded === null ? `-${why}` : `${forwarded.client} | ${forwarded.left} | ${forwarded.proxies.join(', ')}${why}`
}

t.test('addresses are believed from the end, as long as a proxy tells them', async (t) => {
  const proxies = list(['internal', '127.0.0.1'], ['trusted', '192.0.2.0/24'])
  t.equal(read('203.0.113.7', proxies), '203.0.113.7 |  | ')
  t.equal(read('9.9.9.9, 203.0.113.7', proxies), '203.0.113.7 | 9.9.9.9 | ')
  t.equal(read('9.9.9.9,8.8.8.8, 192.0.2.9', proxies), '8.8.8.8 | 9.9.9.9 | 192.0.2.9')
  t.equal(read('10.0.0.1, 192.0.2.9', proxies), '192.0.2.9 | 10.0.0.1 |  private 10.0.0.1')
})

t.test('a peer that is no proxy is not believed at all', async (t) => {
  t.equal(read('203.0.113.7', list(['trusted', '192.0.2.1'])), '-')
})

t.test('what is no address ends the reading', async (t) => {
  const proxies = list(['internal', '0.0.0.0/1'], ['internal', '128.0.0.0/1'])
  for (const bad of ['junk', '203.0.113.7:80', '[::1]', '256.1.1.1', '203.0.113', 'fe80::1%eth0', '1.2.3.4 5.6.7.8']) {
    t.equal(read(`8.8.8.8, ${bad}`, proxies), `- malformed ${bad}`)
  }
  t.equal(read('8.8.8.8,', proxies), '-')
})

t.test('a trusted proxy cannot tell a private address, an internal one can', async (t) => {
  const rows = [
    '10.0.0.1',
    '127.0.0.9',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.3.4',
    'fe80::1',
    '::1',
    'fc00::1',
  ]
  for (const address of rows) {
    t.equal(read(address, list(['trusted', '127.0.0.1'])), `- private ${address}`)
    t.equal(read(address, list(['internal', '127.0.0.1'])), `${address} |  | `)
  }
  for (const address of ['172.32.0.1', '192.169.0.1', '11.0.0.1', '2606:4700::1']) {
    t.equal(read(address, list(['trusted', '127.0.0.1'])), `${address} |  | 127.0.0.1`)
  }
})

t.test('addresses are told as httpd prints them', async (t) => {
  const proxies = list(['internal', '127.0.0.1'])
  t.equal(read('2606:4700:0:0:0:0:0:1', proxies), '2606:4700::1 |  | ')
  t.equal(read('::FFFF:203.0.113.7', proxies), '203.0.113.7 |  | ')
})

t.test('of two lines that name the same proxy the first counts', async (t) => {
  t.equal(read('10.0.0.1', list(['internal', '127.0.0.1'], ['trusted', '127.0.0.0/8'])), '10.0.0.1 |  | ')
  t.equal(read('10.0.0.1', list(['trusted', '127.0.0.0/8'], ['internal', '127.0.0.1'])), '- private 10.0.0.1')
})
