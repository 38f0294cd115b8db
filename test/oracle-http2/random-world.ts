import type { Random } from '../fixtures/random.ts'

/** A request of a connection. */
export interface Asked {
  /** `:authority`. */
  readonly authority: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** The parts of the body; null without one. */
  readonly body: readonly string[] | null
  readonly statesLength: boolean
  /** Whether the client waits for longer than RequestReadTimeout permits before the last part. */
  readonly stalls: boolean
}

/** A connection with its requests, one after another. */
export interface Visit {
  /** null for none. */
  readonly serverName: string | null
  readonly asked: readonly Asked[]
}

export interface World {
  /** Lines with `@PORT@`, and `@TLS@` for the folder of the certificates. */
  readonly lines: readonly string[]
  readonly visits: readonly Visit[]
}

const HOSTS = 5
const PAIRS = ['localhost', 'localhost', 'a', 'b']
const POLICIES = ['strict', 'secure', 'secure', 'authonly', 'insecure']
const STRONG = 'ECDHE-RSA-AES256-GCM-SHA384'

const nameOf = (index: number): string => `h${index}.test`

export function randomWorld(random: Random, visits: number): World {
  const lines = [`SSLVHostSNIPolicy ${random.pick(POLICIES)}`]
  for (let index = 0; index < HOSTS; index++) lines.push(...host(random, index))
  return { lines, visits: random.several(visits, visits, () => randomVisit(random)) }
}

function host(random: Random, index: number): string[] {
  const add = (share: number, line: () => string): string[] => (random.percent(share) ? [line()] : [])
  const pair = random.pick(PAIRS)
  return [
    '<VirtualHost *:@PORT@>',
    `ServerName ${nameOf(index)}`,
    ...add(40, () => `ServerAlias www.${nameOf(index)} *.sub${index}.test`),
    'SSLEngine on',
    `SSLCertificateFile @TLS@/${pair}.crt`,
    `SSLCertificateKeyFile @TLS@/${pair}.key`,
    ...add(85, () => `Protocols ${random.pick(['h2 http/1.1', 'h2 http/1.1', 'h2', 'http/1.1 h2'])}`),
    ...add(20, () => `SSLProtocol ${random.pick(['TLSv1.3', 'all', 'all -TLSv1.3'])}`),
    ...add(15, () => `SSLCipherSuite ${random.pick([STRONG, 'HIGH'])}`),
    ...add(15, () => `SSLVerifyClient ${random.pick(['none', 'optional'])}\nSSLCACertificateFile @TLS@/ca.crt`),
    ...add(10, () => 'SSLStrictSNIVHostCheck On'),
    ...add(40, () => `LimitRequestBody ${random.pick([1, 20, 100])}`),
    // The field says which hosts limit the time, for those that compare the answers.
    ...add(50, () => 'RequestReadTimeout body=1\nHeader always set x-limits-time yes'),
    '<Location "/cgi">',
    'SetHandler cgi-script',
    'Options +ExecCGI',
    ...add(30, () => `LimitRequestBody ${random.pick([0, 10, 50])}`),
    '</Location>',
    ...add(20, () => '<Location "/no">\nRequire all denied\n</Location>'),
    '</VirtualHost>',
  ]
}

function randomVisit(random: Random): Visit {
  return { serverName: random.percent(10) ? null : randomName(random), asked: random.several(1, 5, () => randomAsked(random)) }
}

function randomName(random: Random): string {
  const index = random.below(HOSTS)
  return random.pick([
    nameOf(index),
    nameOf(index),
    nameOf(index),
    `www.${nameOf(index)}`,
    `a.b.sub${index}.test`,
    'unknown.test',
  ])
}

function randomAsked(random: Random): Asked {
  const name = randomName(random)
  const authority = random.pick([name, name, name, name.toUpperCase(), `${name}:@PORT@`, `${name}:81`])
  const method = random.pick(['GET', 'GET', 'POST', 'POST', 'PUT'] as const)
  const body = method === 'GET' ? null : random.several(0, 4, () => 'x'.repeat(random.pick([1, 9, 10, 11, 20, 30, 60])))
  return {
    authority,
    method,
    path: random.pick(['/f.txt', '/cgi/length', '/cgi/length', '/no/f.txt', '/absent']),
    body,
    statesLength: random.percent(50),
    stalls: body !== null && body.length > 1 && random.percent(25),
  }
}
