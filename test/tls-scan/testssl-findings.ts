import type { ScanFinding } from './scan-finding.ts'

/** An entry in the flat JSON of testssl.sh. */
interface Entry {
  readonly id: string
  readonly severity: string
  readonly finding: string
}

const GOOD = ['OK', 'INFO', 'LOW']

/** Beginnings of findings of medium severity or worse that do not depend on the server. */
const EXPECTED: Readonly<Record<string, string>> = {
  // The authority is one for tests.
  cert_revocation: 'Neither CRL nor OCSP URI provided',
  // This is about the OpenSSL with which testssl.sh runs.
  engine_problem: 'No engine or GOST support',
}

/** What must be among the findings of a complete scan, and good. */
const NEEDED = [
  'SSLv2',
  'SSLv3',
  'TLS1',
  'TLS1_1',
  'TLS1_2',
  'TLS1_3',
  'cipherlist_STRONG',
  'cipher_order',
  'cert_trust',
  'cert_chain_of_trust',
  'HSTS_time',
  'X-Content-Type-Options',
  'heartbleed',
  'ROBOT',
  'secure_renego',
  'LUCKY13',
  'RC4',
]

/** @param json the file that `--jsonfile` writes */
export function testsslFindings(json: string): readonly ScanFinding[] {
  const entries = entriesOf(json)
  // With several certificates, the number follows: `cert_trust <cert#1>`.
  const seen = new Set(entries.map(({ id }) => propertyOf(id)))
  const missing = NEEDED.filter((id) => !seen.has(id))
  return [
    ...entries.map((entry) => ({ about: entry.id, text: `${entry.severity}: ${entry.finding}`, verdict: verdictOn(entry) })),
    ...missing.map((about) => ({ about, text: 'testssl did not look at it', verdict: 'bad' as const })),
  ]
}

function verdictOn({ id, severity, finding }: Entry): ScanFinding['verdict'] {
  if (GOOD.includes(severity)) return 'good'
  const expected = EXPECTED[propertyOf(id)]
  return expected !== undefined && finding.startsWith(expected) ? 'expected' : 'bad'
}

function propertyOf(id: string): string {
  return id.split(' ', 1)[0]
}

function entriesOf(json: string): readonly Entry[] {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new Error('testssl wrote no list')
  return list.map((entry: unknown) => {
    if (!isEntry(entry)) throw new Error(`not a finding of testssl: ${JSON.stringify(entry)}`)
    return entry
  })
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'severity', 'finding'].every((name) => typeof Reflect.get(value, name) === 'string')
}
