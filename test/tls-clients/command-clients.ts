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
    const { host, pathname, search } = new URL(url)
    const request = [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      ...(withPassword ? [`Authorization: Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`] : []),
      'Connection: close',
    ]
    const { stdout } = await runClient(
      'openssl',
      [
        ...['s_client', '-quiet', '-connect', host, '-servername', 'localhost', `-tls${version.replace('.', '_')}`],
        ...['-CAfile', authority, '-verify_return_error', '-verify_hostname', 'localhost'],
        ...(certificate === null ? [] : ['-cert', certificates[certificate].certificate, '-key', certificates[certificate].key]),
      ],
      { input: `${request.join('\r\n')}\r\n\r\n` },
    )
    return answer(/^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1], stdout.slice(stdout.indexOf('\r\n\r\n') + 4))
  },
)

/** It fails in the same way with Apache httpd. */
const WGET: TlsClient = { ...WGET_AT_ONCE, renegotiatesNot: 'wget with GnuTLS does not expect a handshake instead of a response' }

export const COMMAND_CLIENTS: readonly TlsClient[] = [CURL, WGET, OPENSSL]

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
