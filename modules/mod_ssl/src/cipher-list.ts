import { createSecureContext } from 'node:tls'

/** What is always left out, as httpd does. */
const NEVER = ':!aNULL:!eNULL:!EXP'
/** OpenSSL's list where SSLCipherSuite says nothing. */
const DEFAULT_LIST = `ALL:!COMPLEMENTOFDEFAULT:!eNULL${NEVER}`
/** OpenSSL's suites of TLS 1.3. */
const DEFAULT_SUITES = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256'

/** What a line of SSLCipherSuite or SSLProxyCipherSuite sets. */
export type CipherLine =
  | { readonly error: string }
  | { readonly list: string; readonly suites?: undefined }
  | { readonly suites: string; readonly list?: undefined }

/** Reads `[SSL|TLSv1.3] LIST`. */
export function readCiphers(first: string, second: string | undefined): CipherLine {
  const protocol = second === undefined ? 'SSL' : first
  const list = second ?? first
  if (protocol === 'SSL') return { list: `${list}${NEVER}` }
  if (protocol === 'TLSv1.3') return { suites: list }
  return { error: `protocol '${protocol}' not supported` }
}

/**
 * The option `ciphers` of tls.createSecureContext: OpenSSL's list for the versions before TLS 1.3 and the
 * suites of TLS 1.3, in one text from which Node takes them apart by their names.
 */
export function nodeCiphers(list: string | undefined, suites: string | undefined): string {
  return `${suites ?? DEFAULT_SUITES}:${ciphersBeforeTls13(list ?? DEFAULT_LIST)}`
}

/** Leaves the suites of TLS 1.3 out. OpenSSL takes `:`, `,`, `;` and blanks as separators, Node only `:`. */
export function ciphersBeforeTls13(list: string): string {
  return list
    .split(/[:,; ]+/)
    .filter((word) => word !== '' && !word.startsWith('TLS_'))
    .join(':')
}

/** Why OpenSSL refuses a list for the versions before TLS 1.3; undefined when it does not. */
export function cipherListProblem(list: string | undefined): Error | undefined {
  if (list === undefined) return undefined
  const words = ciphersBeforeTls13(list)
  return words === '' ? new Error('no cipher match') : refusal(`${DEFAULT_SUITES}:${words}`)
}

/** The same for suites of TLS 1.3. */
export function cipherSuitesProblem(suites: string | undefined): Error | undefined {
  if (suites === undefined) return undefined
  const words = suites.split(':')
  // Node takes other names for those of older versions.
  if (words.some((word) => !word.startsWith('TLS_'))) return new Error('no cipher match')
  return refusal(`${suites}:${ciphersBeforeTls13(DEFAULT_LIST)}`)
}

function refusal(ciphers: string): Error | undefined {
  try {
    createSecureContext({ ciphers })
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
