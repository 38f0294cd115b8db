import type { ScanFinding } from './scan-finding.ts'

type Attributes = Readonly<Record<string, string>>

const VERSIONS = ['tls 1.2', 'tls 1.3']
/** sslscan's words for suites that it does not colour as a problem; it calls those of TLS 1.3 acceptable. */
const STRENGTHS = ['strong', 'acceptable']
/** Bits of a symmetric key that is as strong; below that, NIST allows nothing. */
const LEAST_GROUP_BITS = 112

/** @param xml what `--xml=-` writes */
export function sslscanFindings(xml: string): readonly ScanFinding[] {
  const protocols = elements(xml, 'protocol').map((item) => {
    const name = `${item.type} ${item.version}`
    return finding(name, item.enabled === '1' ? 'enabled' : 'disabled', (item.enabled === '1') === VERSIONS.includes(name))
  })
  const ciphers = elements(xml, 'cipher').map((item) =>
    finding(`${item.sslversion} ${item.cipher}`, `${item.strength}, ${item.bits} bits`, isGoodSuite(item)),
  )
  const groups = elements(xml, 'group').map((item) =>
    finding(`${item.sslversion} ${item.name}`, `${item.bits} bits`, Number(item.bits) >= LEAST_GROUP_BITS),
  )
  const others = [
    ...elements(xml, 'heartbleed').map((item) =>
      finding(`heartbleed ${item.sslversion}`, `vulnerable: ${item.vulnerable}`, item.vulnerable === '0'),
    ),
    ...elements(xml, 'compression').map((item) => finding('compression', `supported: ${item.supported}`, item.supported === '0')),
    ...elements(xml, 'renegotiation').map((item) =>
      finding(
        'renegotiation',
        `supported: ${item.supported}, secure: ${item.secure}`,
        item.supported === '0' || item.secure === '1',
      ),
    ),
    ...elements(xml, 'pk').map((item) => finding('key', `${item.type} ${item.curve_name ?? item.bits}`, item.error === 'false')),
    ...['self-signed', 'expired'].map((name) => {
      const text = new RegExp(`<${name}>(\\w+)</${name}>`).exec(xml)?.[1] ?? 'unknown'
      return finding(name, text, text === 'false')
    }),
  ]
  const error = /<error><!\[CDATA\[(.*?)\]\]>/.exec(xml)?.[1]
  const all = [...protocols, ...ciphers, ...groups, ...others]
  const complete = error === undefined && protocols.length === 6 && ciphers.length > 0 && groups.length > 0
  return [...all, finding('scan', error ?? (complete ? 'complete' : 'incomplete'), complete)]
}

/** With forward secrecy; in TLS 1.3 every suite has it. */
function isGoodSuite({ sslversion, cipher, strength }: Attributes): boolean {
  return STRENGTHS.includes(strength) && (sslversion === 'TLSv1.3' || cipher.startsWith('ECDHE-'))
}

function finding(about: string, text: string, good: boolean): ScanFinding {
  return { about, text, verdict: good ? 'good' : 'bad' }
}

function elements(xml: string, name: string): readonly Attributes[] {
  return [...xml.matchAll(new RegExp(`<${name} ([^>]*?)/?>`, 'g'))].map(([, text = '']) =>
    Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  )
}
