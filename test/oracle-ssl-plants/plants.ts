/** A bug that is planted into a source on purpose: an oracle must find it. */
export interface Plant {
  /** The effect of the bug. */
  readonly bug: string
  /** The oracle that must find it. */
  readonly oracle: OracleName
  /** The source, from the root of the project. */
  readonly file: string
  /** Occurs exactly once, and is replaced. */
  readonly find: string
  readonly replace: string
}

export type OracleName = 'ssl-clients' | 'ssl-folders' | 'ssl-require'

const SSL = 'modules/mod_ssl/src'
const VERIFY = `${SSL}/connections/verify-client.ts`
const LISTS = `${SSL}/connections/revocation.ts`

/** OpenSSL's judgement of an error is not heard. */
function deaf(bug: string, code: string): Plant {
  return {
    bug,
    oracle: 'ssl-clients',
    file: VERIFY,
    find: 'const error = firstError(verifyError(socket), chain[0])',
    replace: `const heard = firstError(verifyError(socket), chain[0])\n  const error = heard?.code === '${code}' ? null : heard`,
  }
}

export const PLANTS: readonly Plant[] = [
  deaf('a certificate that is not yet valid is accepted', 'CERT_NOT_YET_VALID'),
  deaf('an expired certificate is accepted', 'CERT_HAS_EXPIRED'),
  deaf('a certificate for another purpose is accepted', 'INVALID_PURPOSE'),
  deaf('an unknown critical extension is accepted', 'UNHANDLED_CRITICAL_EXTENSION'),
  deaf('a chain beyond pathLenConstraint is accepted', 'PATH_LENGTH_EXCEEDED'),
  {
    bug: 'revoked certificates are accepted where the lists are looked at here',
    oracle: 'ssl-clients',
    file: LISTS,
    find: 'return entry === undefined || entry.reason === REMOVED ? null : ERRORS.revoked',
    replace: 'return null',
  },
  {
    bug: 'lists of a whole chain are looked at for the client only',
    oracle: 'ssl-clients',
    file: LISTS,
    find: "this.#check.whose === 'leaf' ? path.slice(0, 1) : path",
    replace: 'path.slice(0, 1)',
  },
  {
    bug: 'a missing list is always excused',
    oracle: 'ssl-clients',
    file: LISTS,
    find: 'this.#check.missingIsFine && excusesMissing',
    replace: 'excusesMissing',
  },
  {
    bug: 'an expired list is believed',
    oracle: 'ssl-clients',
    file: LISTS,
    find: 'if (hasExpired(crl, now)) return ERRORS.late',
    replace: '',
  },
  {
    bug: 'the signature of a list is not verified',
    oracle: 'ssl-clients',
    file: LISTS,
    find: 'if (!isSignedBy(list, issuer)) return ERRORS.signature',
    replace: '',
  },
  {
    bug: 'SSLVerifyDepth has no effect',
    oracle: 'ssl-clients',
    file: VERIFY,
    find: 'if (length > verifyDepth) return',
    replace: 'if (length > LONGEST_PATH) return',
  },
  {
    bug: 'optional_no_ca excuses that a certificate has another purpose',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/chain-events.ts`,
    find: 'if (extendedKeyUsage(certificate)?.includes(CLIENT_AUTH) === false) return false',
    replace: '',
  },
  {
    bug: 'authorities whose names are sent to clients are trusted',
    oracle: 'ssl-clients',
    file: `${SSL}/start/prepare-server.ts`,
    find: 'authorities: { trusted, requested, revocationLists },',
    replace: 'authorities: { trusted: requested, requested, revocationLists },',
  },
  {
    bug: 'a client without a certificate is accepted where one is required',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/tls-layer.ts`,
    find: 'rejectUnauthorized: strictness === STRICTNESS.require && challenge === null,',
    replace: 'rejectUnauthorized: false,',
  },
  {
    bug: 'SSLVerifyClient of a folder has no effect',
    oracle: 'ssl-folders',
    file: `${SSL}/connections/client-demand.ts`,
    find: 'return stricter(strictnessOf(this.#parts.host.configOf(request).verifyClient), strictnessOf(ofHost))',
    replace: 'return strictnessOf(ofHost)',
  },
  {
    bug: 'a folder that allows a shorter chain than its host accepts every chain',
    oracle: 'ssl-folders',
    file: `${SSL}/connections/client-demand.ts`,
    find: 'if (wanted.verifyDepth >= rules.verifyDepth) return DECLINED',
    replace: 'if (wanted.verifyDepth >= 0) return DECLINED',
  },
  {
    bug: 'SSLCipherSuite of a folder has no effect',
    oracle: 'ssl-folders',
    file: `${SSL}/connections/client-demand.ts`,
    find: 'if (ownList !== undefined && ownList !== rules.cipherList) {',
    replace: 'if (ownList !== undefined && ownList === "") {',
  },
  {
    bug: '`le` is no operator',
    oracle: 'ssl-require',
    file: 'packages/expr/src/language/tokenizer.ts',
    find: "['le', 'T_OP_LE'],",
    replace: '',
  },
  {
    bug: '`not` is no operator',
    oracle: 'ssl-require',
    file: 'packages/expr/src/language/tokenizer.ts',
    find: "['not', 'T_OP_NOT'],",
    replace: '',
  },
  {
    bug: 'messages have no prefix',
    oracle: 'ssl-require',
    file: `${SSL}/directives/sections.ts`,
    find: 'return `SSLRequire: ${condition.error}`',
    replace: 'return `${condition.error}`',
  },
]
