import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { compiledIn } from './compiled-in.mjs'
import { ROOT } from './inputs.cjs'
import { manualData } from './manual-data.ts'
import { PROGRAM_BUNDLING } from './program-bundling.ts'

/** Programs in bin/, each with the source that its bundle in lib/ begins with. */
export const PROGRAMS = {
  httpd: 'packages/cli/src/main.ts',
  apxs: 'packages/cli/src/apxs/main.ts',
  gatewright: 'packages/cli/src/gatewright/main.ts',
  htpasswd: 'packages/cli/src/htpasswd/main.ts',
  htdigest: 'packages/cli/src/htdigest/main.ts',
  htdbm: 'packages/cli/src/htdbm/main.ts',
  httxt2dbm: 'packages/cli/src/httxt2dbm/main.ts',
  rotatelogs: 'packages/cli/src/rotatelogs/main.ts',
  logresolve: 'packages/cli/src/logresolve/main.ts',
  'split-logfile': 'packages/cli/src/split-logfile/main.ts',
  check_forensic: 'packages/cli/src/check-forensic/main.ts',
  htcacheclean: 'packages/cli/src/htcacheclean/main.ts',
}
/** Bundles that programs load at run time, next to their own. */
const PARTS = {
  'gatewright-verbs': 'packages/cli/src/gatewright/run-verb.ts',
  'gatewright-check': 'packages/cli/src/gatewright/run-check.ts',
  'gatewright-lsp': 'packages/cli/src/gatewright/lsp/run-lsp.ts',
  'gatewright-lsp-analyser': 'packages/cli/src/gatewright/lsp/analyser.ts',
  'password-worker': 'packages/core/src/services/password-worker.ts',
}

/**
 * Bundles each program from the sources into one file with all its imports.
 * @param configured the settings that configure chose; if absent, those of the sources
 * @param {{ modules: readonly string[], layout: object }} [configured]
 * @returns {Promise<{ name: string, content: Uint8Array }[]>}
 */
export async function bundlePrograms(configured) {
  const { outputFiles } = await build({
    ...PROGRAM_BUNDLING,
    entryPoints: { ...PROGRAMS, ...PARTS },
    outdir: 'lib',
    plugins: configured === undefined ? [] : [compiledIn(configured)],
    write: false,
  })
  const programs = outputFiles.map(({ path, contents }) => ({ name: basename(path), content: contents }))
  return [
    ...programs,
    { name: 'gatewright-manual.json', content: manualData() },
    { name: 'gatewright-own-modules.json', content: ownModules() },
  ]
}

/** The digests of the built modules, by which ModuleSignedBy accepts them without a signature. */
function ownModules() {
  const files = globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT }).sort()
  const digests = files.map((file) => [
    basename(file),
    createHash('sha256')
      .update(readFileSync(join(ROOT, file)))
      .digest('hex'),
  ])
  return Buffer.from(`${JSON.stringify(Object.fromEntries(digests), null, 1)}\n`)
}
