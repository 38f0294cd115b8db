import { ROOT } from './inputs.cjs'

/**
 * The settings for bundling a program, or another file that Node runs from an installed server, with all its
 * imports.
 */
export const PROGRAM_BUNDLING = {
  absWorkingDir: ROOT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['gatewright-source', 'module'],
  // Some packages are CommonJS and `require` Node's modules; an ES module does not have `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)",
  },
  logLevel: 'warning',
} as const
