import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  type Address,
  compileNetworks,
  isNetworkError,
  looksLikeAddress,
  matchesNetwork,
  parseAddress,
  parseNetwork,
} from '../src/index.ts'

interface Row {
  form: string
  verdict: string
  hits: string
}

const lines = readFileSync(new URL('./recorded/httpd-2.4.71-forms.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const probes = (lines.shift() ?? '').replace('probes\t', '').split(' ')
const rows: Row[] = lines.map((line) => {
  const [form, verdict, hits = ''] = line.split('\t')
  return { form: String(JSON.parse(form)), verdict, hits }
})

function address(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed === undefined) throw new Error(`no address: ${text}`)
  return parsed
}

t.test('every recorded form is accepted, or refused for the reason, that httpd gave', async (t) => {
  t.ok(rows.length >= 150, `${rows.length} rows`)
  for (const { form, verdict } of rows) {
    const result = parseNetwork(form)
    t.equal(isNetworkError(result) ? result.kind : 'ok', verdict, JSON.stringify(form))
  }
})

t.test('every accepted form admits the probe addresses that httpd admitted and no other', async (t) => {
  for (const { form, verdict, hits } of rows) {
    if (verdict !== 'ok') continue
    const network = parseNetwork(form)
    if (isNetworkError(network)) {
      t.fail(form)
      continue
    }
    const set = compileNetworks([network])
    t.equal(probes.filter((probe) => matchesNetwork(network, address(probe))).join(' '), hits, `${form}, one network`)
    t.equal(probes.filter((probe) => set.has(address(probe))).join(' '), hits, `${form}, compiled`)
  }
})

t.test('the three reasons carry the texts that httpd prints', async (t) => {
  t.same(parseNetwork('foo'), { kind: 'not-an-address', message: 'An IP address was expected' })
  t.same(parseNetwork('300.1.1.1'), { kind: 'bad-address', message: 'The specified IP address is invalid.' })
  t.same(parseNetwork('10.0.0.0/33'), { kind: 'bad-mask', message: 'The specified network mask is invalid.' })
})

t.test('a colon, or digits and dots only, look like an address', async (t) => {
  for (const text of ['1', '.', '300.1.1.1', ':', 'host:80', '[::1]', 'fe80::1%eth0']) t.ok(looksLikeAddress(text), text)
  for (const text of ['', ' ', '1 ', '10.0.0.0/8', 'foo', '1.2.3.4a', '10.*', '-1'])
    t.notOk(looksLikeAddress(text), JSON.stringify(text))
})
