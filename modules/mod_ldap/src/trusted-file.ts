import type { Command, SetResult } from '@gatewright/api'

/** What a file of LDAPTrustedGlobalCert or LDAPTrustedClientCert contains. */
export interface TrustedFile {
  readonly kind: 'authorities' | 'certificate' | 'key'
  readonly form: 'PEM' | 'DER'
  /** Absolute. */
  readonly path: string
  /** Content of the file, one character for each byte. */
  readonly content: string
  /** Of a key; undefined without one. */
  readonly passPhrase?: string
}

const KINDS: ReadonlyMap<string, Pick<TrustedFile, 'kind' | 'form'> | 'stores'> = new Map<
  string,
  Pick<TrustedFile, 'kind' | 'form'> | 'stores'
>([
  ['CA_DER', { kind: 'authorities', form: 'DER' }],
  ['CA_BASE64', { kind: 'authorities', form: 'PEM' }],
  ['CA_CERT7_DB', 'stores'],
  ['CA_SECMOD', 'stores'],
  ['CERT_DER', { kind: 'certificate', form: 'DER' }],
  ['CERT_BASE64', { kind: 'certificate', form: 'PEM' }],
  ['CERT_PFX', 'stores'],
  ['CERT_KEY3_DB', 'stores'],
  ['CERT_NICKNAME', 'stores'],
  ['KEY_DER', { kind: 'key', form: 'DER' }],
  ['KEY_BASE64', { kind: 'key', form: 'PEM' }],
  ['KEY_PFX', 'stores'],
])

/** Types that belong to other client libraries, and to the whole server. */
const GLOBAL_ONLY: ReadonlySet<string> = new Set(['CA_CERT7_DB', 'CA_SECMOD', 'CERT_PFX', 'CERT_KEY3_DB', 'KEY_PFX'])

/** Reads `TYPE PATH [PASSPHRASE]` of LDAPTrustedGlobalCert. */
export function globalFile(
  type: string,
  path: string,
  passPhrase: string | undefined,
  command: Command,
  accept: (file: TrustedFile) => void,
): SetResult {
  return readFile({ type, path, passPhrase }, command, accept, {
    code: 'AH01304',
    what: 'SSL trusted certificate authority file',
    problem: 'Invalid global certificate file path',
  })
}

/** Reads `TYPE PATH [PASSPHRASE]` of LDAPTrustedClientCert. */
export function clientFile(
  type: string,
  path: string,
  passPhrase: string | undefined,
  command: Command,
  accept: (file: TrustedFile) => void,
): SetResult {
  if (GLOBAL_ONLY.has(type)) {
    return (
      `The certificate type "${type}" is only valid within a LDAPTrustedGlobalCert directive. Only CA_DER, CA_BASE64, ` +
      'CERT_DER, CERT_BASE64, CERT_NICKNAME, KEY_DER, and KEY_BASE64 may be used.'
    )
  }
  return readFile({ type, path, passPhrase }, command, accept, {
    code: 'AH01306',
    what: 'SSL client certificate file',
    problem: 'Invalid client certificate file path',
  })
}

function readFile(
  { type, path, passPhrase }: { readonly type: string; readonly path: string; readonly passPhrase: string | undefined },
  command: Command,
  accept: (file: TrustedFile) => void,
  messages: { readonly code: string; readonly what: string; readonly problem: string },
): SetResult {
  const kind = KINDS.get(type)
  if (kind === undefined) {
    return (
      `The certificate type ${type} is not recognised. It should be one of CA_DER, CA_BASE64, CA_CERT7_DB, CA_SECMOD, ` +
      'CERT_DER, CERT_BASE64, CERT_KEY3_DB, CERT_NICKNAME, KEY_DER, KEY_BASE64'
    )
  }
  if (kind === 'stores') {
    return {
      message: `The certificate type ${type} is not supported`,
      hint: 'export the certificates and keys to PEM files, and use CA_BASE64, CERT_BASE64 and KEY_BASE64',
    }
  }
  const absolute = command.serverRelative(path)
  const content = command.services.readFile(absolute)
  if (typeof content !== 'string') {
    command.report('error', messages.code, `LDAP: Could not open ${messages.what} - ${absolute}`, content)
    return messages.problem
  }
  accept({ ...kind, path: absolute, content, passPhrase })
  return undefined
}
