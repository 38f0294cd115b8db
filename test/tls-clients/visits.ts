/** The versions of TLS that a client is restricted to. */
export type Version = '1.2' | '1.3'

/** One request of a client. */
export interface Visit {
  /** Sent as the query, by which its line in the access log is found. */
  readonly run: string
  readonly url: string
  readonly version: Version
  /** Whose certificate the client has. */
  readonly certificate: 'member' | 'stranger' | null
  readonly withPassword: boolean
}

/** What a client got: null if it got no response. */
export interface Answer {
  readonly status: number | null
  readonly body: string
}

/** What must come of a visit. */
export interface Expectation {
  readonly about: string
  readonly visit: Visit
  /** `refused` is 403 or a connection that fails: some clients send no certificate whose authority the server does not name. */
  readonly status: number | 'refused'
}

export interface Ports {
  /** Asks every client for a certificate when it connects. */
  readonly asking: number
  /** Asks for one only in a folder. */
  readonly silent: number
}

interface Scenario extends Pick<Visit, 'certificate' | 'withPassword'> {
  readonly about: string
  readonly path: string
  readonly port: keyof Ports
  status(version: Version): Expectation['status']
}

const VERSIONS: readonly Version[] = ['1.2', '1.3']

const NOBODY = { certificate: null, withPassword: false } as const
const MEMBER = { certificate: 'member', withPassword: false } as const

const SCENARIOS: readonly Scenario[] = [
  { about: 'a password', path: 'basic', port: 'asking', ...NOBODY, withPassword: true, status: () => 200 },
  { about: 'no password', path: 'basic', port: 'asking', ...NOBODY, status: () => 401 },
  { about: 'a certificate', path: 'members', port: 'asking', ...MEMBER, status: () => 200 },
  { about: 'no certificate', path: 'members', port: 'asking', ...NOBODY, status: () => 403 },
  {
    about: 'a certificate of another authority',
    path: 'members',
    port: 'asking',
    ...NOBODY,
    certificate: 'stranger',
    status: () => 'refused',
  },
  { about: 'a certificate and a password', path: 'both', port: 'asking', ...MEMBER, withPassword: true, status: () => 200 },
  { about: 'a certificate and no password', path: 'both', port: 'asking', ...MEMBER, status: () => 401 },
  {
    about: 'a certificate for a folder that asks for it',
    path: 'folder',
    port: 'silent',
    ...MEMBER,
    // TLS 1.3 has no renegotiation, and the connection of Node no post-handshake authentication.
    status: (version) => (version === '1.2' ? 200 : 403),
  },
  { about: 'no certificate for a folder that asks for it', path: 'folder', port: 'silent', ...NOBODY, status: () => 'refused' },
]

/**
 * Every scenario with each version.
 * @param client part of the queries
 * @param renegotiates whether it can negotiate again in TLS 1.2
 */
export function expectationsFor(client: string, ports: Ports, renegotiates: boolean): readonly Expectation[] {
  return VERSIONS.flatMap((version) =>
    SCENARIOS.map(({ about, path, port, certificate, withPassword, status }, index) => {
      const run = `${client}-${version}-${index}`
      const url = `https://localhost:${ports[port]}/${path}/page.txt?${run}`
      const visit = { run, url, version, certificate, withPassword }
      const needsMore = port === 'silent' && version === '1.2' && !renegotiates
      return { about: `TLS ${version}, ${about}`, visit, status: needsMore ? ('refused' as const) : status(version) }
    }),
  )
}
