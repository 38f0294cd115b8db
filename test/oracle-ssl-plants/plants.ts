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

export type OracleName = 'ssl-folders' | 'ssl-require'

const SSL = 'modules/mod_ssl/src'

export const PLANTS: readonly Plant[] = [
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
