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

export const PLANTS: readonly Plant[] = [
  {
    bug: 'of several SSLRequire lines, the first one counts alone',
    oracle: 'ssl-folders',
    file: `${SSL}/access/check-access.ts`,
    find: 'if (holds) continue',
    replace: 'if (holds) break',
  },
  {
    bug: 'SSLOptions +StrictRequire has no effect',
    oracle: 'ssl-folders',
    file: `${SSL}/access/check-access.ts`,
    find: '=== undefined ? DECLINED : HTTP_FORBIDDEN',
    replace: '=== undefined ? DECLINED : DECLINED',
  },
  {
    bug: 'SSLVerifyClient of a folder has no effect',
    oracle: 'ssl-folders',
    file: `${SSL}/connections/client-demand.ts`,
    find: 'strictness: stricter(strictnessOf(folder.verifyClient), strictnessOf(ofHost?.verifyClient))',
    replace: 'strictness: strictnessOf(ofHost?.verifyClient)',
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
    bug: 'SSLOptions without signs do not replace those of the outer section',
    oracle: 'ssl-folders',
    file: `${SSL}/options.ts`,
    find: 'if (over.replaces) return over',
    replace: '',
  },
  {
    bug: 'revoked certificates are accepted where this server checks lists itself',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/revocation.ts`,
    find: 'entry === undefined || entry.reason === REMOVED ? null : ERRORS.revoked',
    replace: 'entry === undefined || entry.reason === REMOVED ? null : null',
  },
  {
    bug: 'a list that is missing does not matter',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/revocation.ts`,
    find: 'if (list === undefined) return ERRORS.missing',
    replace: 'if (list === undefined) return null',
  },
  {
    bug: 'a complete chain may be longer than SSLVerifyDepth',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/verify-client.ts`,
    find: 'if (length > verifyDepth) return refuse(TOO_LONG, length)',
    replace: '',
  },
  {
    bug: 'optional_no_ca excuses every error',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/verify-client.ts`,
    find: 'const isRefused = error !== null && !(excuses && UNKNOWN_ISSUER.has(error.code))',
    replace: 'const isRefused = error !== null && !excuses',
  },
  {
    bug: 'optional_no_ca accepts certificates of servers',
    oracle: 'ssl-clients',
    file: `${SSL}/connections/verify-client.ts`,
    find: 'if (isExcused && servesPurpose(chain[0], CLIENT_AUTH)) return',
    replace: 'if (isExcused) return',
  },
  {
    bug: 'reserved characters of names are not escaped',
    oracle: 'ssl-clients',
    file: 'packages/x509/src/name-text.ts',
    find: 'const inside = text.replace(reserved, escaped)',
    replace: 'const inside = text.replace(reserved, (character) => character)',
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
