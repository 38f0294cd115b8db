#!/usr/bin/env node
// Stages the server root: bin/, lib/, modules/, conf/, htdocs/, logs/, include/, build/. Part of the build; `node build/stage.mjs DIR` stages elsewhere.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './inputs.cjs'
import { place } from './place.ts'
import { PROGRAM_BUNDLING } from './program-bundling.ts'
import { stageConfigVars } from './stage-config-vars.ts'
import { stageConfiguration } from './stage-configuration.ts'
import { stageInclude } from './stage-include.ts'
import { stageToolchain } from './stage-toolchain.ts'

/** Programs in bin/, each with the source that its bundle in lib/ begins with. */
const PROGRAMS = {
  httpd: 'packages/cli/src/main.ts',
  apxs: 'packages/cli/src/apxs/main.ts',
  gatewright: 'packages/cli/src/gatewright/main.ts',
  htpasswd: 'packages/cli/src/htpasswd/main.ts',
  htdigest: 'packages/cli/src/htdigest/main.ts',
  htdbm: 'packages/cli/src/htdbm/main.ts',
  httxt2dbm: 'packages/cli/src/httxt2dbm/main.ts',
}
/** What the server starts as threads: bundles beside its own. */
const THREADS = {
  'password-worker': 'packages/core/src/services/password-worker.ts',
}
const FOLDERS = ['bin', 'lib', 'modules', 'conf', 'htdocs', 'logs']

/** Everything of a server root except what the server writes: logs/ is made, and left alone. */
export async function stage(root) {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  await bundle(join(root, 'lib'))
  stageNode(join(root, 'bin/node'))
  for (const name of Object.keys(PROGRAMS)) placeScript(join(root, 'bin', name), script('program').replaceAll('@NAME@', name))
  placeScript(join(root, 'bin/apachectl'), script('apachectl'))
  for (const file of globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT }))
    place(join(root, 'modules', basename(file)), readFileSync(join(ROOT, file)))
  stageConfiguration(root)
  stageConfigVars(root)
  await stageInclude(root)
  await stageToolchain(root)
}

/** One file per program with all that it imports inside, from the sources. */
async function bundle(folder) {
  const { outputFiles } = await build({
    ...PROGRAM_BUNDLING,
    entryPoints: { ...PROGRAMS, ...THREADS },
    outdir: folder,
    write: false,
  })
  for (const { path, contents } of outputFiles) place(path, contents)
}

/** The Node that runs this, as a second name of the same file where the file system allows it. */
function stageNode(target) {
  const node = realpathSync(process.execPath)
  if (existsSync(target) && statSync(target).ino === statSync(node).ino) return
  rmSync(target, { force: true })
  try {
    linkSync(node, target)
  } catch {
    copyFileSync(node, target)
    chmodSync(target, 0o755)
  }
}

function script(name) {
  return readFileSync(join(ROOT, 'build/bin', `${name}.sh`), 'utf8')
}

function placeScript(file, text) {
  place(file, text)
  chmodSync(file, 0o755)
}

if (process.argv[1] === import.meta.filename) {
  const root = resolve(process.argv[2] ?? join(ROOT, 'dist'))
  await stage(root)
  console.log(`staged ${root}`)
}
