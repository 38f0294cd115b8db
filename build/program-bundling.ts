import { ROOT } from './inputs.cjs'

/** How the sources of a program, or of anything else that Node runs from an installed server, become one file with all that they import inside. */
export const PROGRAM_BUNDLING = {
  absWorkingDir: ROOT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['gatewright-source', 'module'],
  // Some packages we use are CommonJS and `require` what Node brings; an ES module has no `require` of its own.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)",
  },
  logLevel: 'warning',
} as const
