import { type ClientsSite, PASSWORD, USER } from './clients-site.ts'
import { runClient } from './run-client.ts'
import type { TlsClient } from './tls-client.ts'
import type { Answer, Visit } from './visits.ts'

const CURL: TlsClient = each('curl', 'curl', async ({ url, version, certificate, withPassword }, { authority, certificates }) => {
  const { stdout } = await runClient('curl', [
    ...['-q', '-s', '--cacert', authority, '--tls-max', version, `--tlsv${version}`, '-w', '\n%{http_code}'],
    ...(certificate === null ? [] : ['--cert', certificates[certificate].certificate, '--key', certificates[certificate].key]),
    ...(withPassword ? ['-u', `${USER}:${PASSWORD}`] : []),
    url,
  ])
  const end = stdout.lastIndexOf('\n')
  return answer(stdout.slice(end + 1), stdout.slice(0, end))
})

const WGET_AT_ONCE: TlsClient = each(
  'wget',
  'wget',
  async ({ url, version, certificate, withPassword }, { authority, certificates }) => {
    const { stdout, stderr } = await runClient('wget', [
      ...['--no-config', '--no-hsts', '-S', '-O', '-', '--tries=1', `--ca-certificate=${authority}`],
      // A priority string of GnuTLS, with which Debian builds it; --secure-protocol names only the least version.
      `--ciphers=NORMAL:-VERS-ALL:+VERS-TLS${version}`,
      ...(certificate === null
        ? []
        : [`--certificate=${certificates[certificate].certificate}`, `--private-key=${certificates[certificate].key}`]),
      ...(withPassword ? [`--user=${USER}`, `--password=${PASSWORD}`] : []),
      url,
    ])
    // With a password the first response is a challenge.
    return answer([...stderr.matchAll(/^ {2}HTTP\/1\.1 (\d+)/gm)].at(-1)?.[1], stdout)
  },
)

const OPENSSL: TlsClient = each(
  'openssl s_client',
  'openssl',
  async ({ url, version, certificate, withPassword }, { authority, certificates }) => {
    const { host } = new URL(url)
    const { stdout } = await runClient(
      'openssl',
      [
        ...['s_client', '-quiet', '-connect', host, '-servername', 'localhost', `-tls${version.replace('.', '_')}`],
        ...['-CAfile', authority, '-verify_return_error', '-verify_hostname', 'localhost'],
        ...(certificate === null ? [] : ['-cert', certificates[certificate].certificate, '-key', certificates[certificate].key]),
      ],
      { input: requestFor(url, withPassword) },
    )
    return answerIn(stdout)
  },
)

const GNUTLS_AT_ONCE: TlsClient = each(
  'gnutls-cli',
  'gnutls-cli',
  async ({ url, version, certificate, withPassword }, { authority, certificates }) => {
    const { stdout } = await runClient(
      'gnutls-cli',
      [
        ...['--logfile=/dev/null', `--x509cafile=${authority}`, `--priority=NORMAL:-VERS-ALL:+VERS-TLS${version}`],
        ...(certificate === null
          ? []
          : [`--x509certfile=${certificates[certificate].certificate}`, `--x509keyfile=${certificates[certificate].key}`]),
        `--port=${new URL(url).port}`,
        'localhost',
      ],
      { input: requestFor(url, withPassword) },
    )
    return answerIn(stdout)
  },
)

/** They fail in the same way with Apache httpd. */
const WGET: TlsClient = { ...WGET_AT_ONCE, renegotiatesNot: 'wget with GnuTLS does not expect a handshake instead of a response' }

const GNUTLS: TlsClient = {
  ...GNUTLS_AT_ONCE,
  packages: 'gnutls-bin',
  renegotiatesNot: 'gnutls-cli does not negotiate again while it waits for a response',
}

export const COMMAND_CLIENTS: readonly TlsClient[] = [CURL, WGET, OPENSSL, GNUTLS]

function requestFor(url: string, withPassword: boolean): string {
  const { host, pathname, search } = new URL(url)
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...(withPassword ? [`Authorization: Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`] : []),
    'Connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Reads a response with its head. */
function answerIn(text: string): Answer {
  return answer(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1], text.slice(text.indexOf('\r\n\r\n') + 4))
}

/** A client that is started for each visit. */
function each(name: string, program: string, visit: (visit: Visit, site: ClientsSite) => Promise<Answer>): TlsClient {
  return {
    name,
    needs: [[program]],
    packages: program,
    visitAll: async (visits, site) => {
      const answers: Answer[] = []
      for (const one of visits) answers.push(await visit(one, site))
      return answers
    },
  }
}

/** @param status digits; `000` and none are no response */
function answer(status: string | undefined, body: string): Answer {
  const number = Number(status ?? 0)
  return { status: number === 0 ? null : number, body: number === 200 ? body : '' }
}
