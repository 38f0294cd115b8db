import { isIP } from 'node:net'
import { isNetworkError, parseNetwork } from '@gatewright/ipset'
import t from 'tap'
import type { ProxyNetwork, Trust } from '../src/config.ts'
import { type ReadAddress, type Reading, readForwarded } from '../src/forwarded.ts'
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

/** Names that the tests resolve synchronously and asynchronously. */
const NAMES: Readonly<Record<string, string>> = { near: '203.0.113.7', proxy: '192.0.2.9' }
const SLOW_NAMES: Readonly<Record<string, string>> = { 'slow-proxy': '192.0.2.9', far: '203.0.113.8' }

const addressOf: ReadAddress = (text) => {
  if (text in SLOW_NAMES) return Promise.resolve(SLOW_NAMES[text])
  return NAMES[text] ?? (isIP(text) === 0 ? null : text)
}

/** `CLIENT | LEFT | PROXIES`, or why nothing is trusted. */
function shown({ forwarded, stop }: Reading): string {
  const why = stop === null ? '' : ` ${stop.kind} ${stop.value}`
  return forwarded === null ? `-${why}` : `${forwarded.client} | ${forwarded.left} | ${forwarded.proxies.join(', ')}${why}`
}

function read(field: string, proxies: ProxyList): string {
  const reading = readForwarded(field, '127.0.0.1', proxies, addressOf)
  if (reading instanceof Promise) throw new Error('nothing is to be waited for')
  return shown(reading)
}

t.test('addresses are trusted from the end, as long as a proxy reports them', async (t) => {
  const proxies = list(['internal', '127.0.0.1'], ['trusted', '192.0.2.0/24'])
  t.equal(read('203.0.113.7', proxies), '203.0.113.7 |  | ')
  t.equal(read('9.9.9.9, 203.0.113.7', proxies), '203.0.113.7 | 9.9.9.9 | ')
  t.equal(read('9.9.9.9,8.8.8.8, 192.0.2.9', proxies), '8.8.8.8 | 9.9.9.9 | 192.0.2.9')
  t.equal(read('10.0.0.1, 192.0.2.9', proxies), '192.0.2.9 | 10.0.0.1 |  private 10.0.0.1')
})

t.test('a peer that is not a proxy is not trusted', async (t) => {
  t.equal(read('203.0.113.7', list(['trusted', '192.0.2.1'])), '-')
})

t.test('an invalid address ends reading', async (t) => {
  const proxies = list(['internal', '0.0.0.0/1'], ['internal', '128.0.0.0/1'])
  for (const bad of ['junk', '203.0.113.7:80', '[::1]', '256.1.1.1', '203.0.113', '1.2.3.4 5.6.7.8']) {
    t.equal(read(`8.8.8.8, ${bad}`, proxies), `- malformed ${bad}`)
  }
  t.equal(read('8.8.8.8,', proxies), '-')
})

t.test('a trusted proxy cannot report a private address, an internal one can', async (t) => {
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

t.test('a name stands for its address, also for that of a proxy', async (t) => {
  const proxies = list(['internal', '127.0.0.1'], ['trusted', '192.0.2.0/24'])
  t.equal(read('9.9.9.9, near', proxies), '203.0.113.7 | 9.9.9.9 | ')
  t.equal(read('near, proxy', proxies), '203.0.113.7 |  | 192.0.2.9')
})

t.test('reading waits for names that have to be looked up, and continues there', async (t) => {
  const proxies = list(['internal', '127.0.0.1'], ['trusted', '192.0.2.0/24'])
  const later = async (field: string): Promise<string> => shown(await readForwarded(field, '127.0.0.1', proxies, addressOf))
  t.equal(await later('9.9.9.9, far, slow-proxy'), '203.0.113.8 | 9.9.9.9 | 192.0.2.9')
  t.equal(await later('9.9.9.9, junk, slow-proxy'), '192.0.2.9 | 9.9.9.9, junk |  malformed junk')
})

t.test('if two lines contain the same proxy, the first counts', async (t) => {
  t.equal(read('10.0.0.1', list(['internal', '127.0.0.1'], ['trusted', '127.0.0.0/8'])), '10.0.0.1 |  | ')
  t.equal(read('10.0.0.1', list(['trusted', '127.0.0.0/8'], ['internal', '127.0.0.1'])), '- private 10.0.0.1')
})
