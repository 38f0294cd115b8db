#!/usr/bin/env node
// Stages the server root: bin/, lib/, modules/, conf/, htdocs/, logs/, build/. Part of the build; `node build/stage.mjs DIR` stages elsewhere.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { COMPILED_IN_NAMES } from '../packages/cli/src/compiled-in-names.ts'
import { availableModules } from '../packages/module-kit/src/configure/command.ts'
import { configure } from '../packages/module-kit/src/configure/configure.ts'
import { configVariablesText } from '../packages/module-kit/src/install/config-variables.ts'
import { bundlePrograms, PROGRAMS } from './bundle.mjs'
import { ROOT } from './inputs.cjs'
import { stageConfiguration } from './stage-configuration.ts'

const FOLDERS = ['bin', 'lib', 'modules', 'conf', 'htdocs', 'logs', 'build']

/** Everything of a server root except what the server writes: logs/ is made, and left alone. */
export async function stage(root) {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  for (const { name, content } of await bundlePrograms()) place(join(root, 'lib', name), content)
  stageNode(join(root, 'bin/node'))
  for (const name of Object.keys(PROGRAMS)) placeScript(join(root, 'bin', name), script('program').replaceAll('@NAME@', name))
  placeScript(join(root, 'bin/apachectl'), script('apachectl'))
  for (const file of globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT }))
    place(join(root, 'modules', basename(file)), readFileSync(join(ROOT, file)))
  stageConfiguration(root)
  place(join(root, 'build/config_vars.mk'), configVariablesText(configurationOf(root)))
}

/** What would have to be told to configure for the server root that is staged: all modules, and those of packages/cli compiled in. */
function configurationOf(root) {
  const compiledIn = COMPILED_IN_NAMES.map((source) => source.replace(/^mod_|\.c$/g, '')).join(' ')
  return configure({
    words: [`--prefix=${root}`, '--enable-modules=reallyall', `--enable-mods-static=${compiledIn}`],
    environment: {},
    available: availableModules(ROOT),
    program: join(ROOT, 'build/configure'),
    readFile: (file) => readFileSync(file, 'utf8'),
  }).status
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

/** Replaced as a whole, and only when it changed: a running server never sees half a file. */
function place(file, content) {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

if (process.argv[1] === import.meta.filename) {
  const root = resolve(process.argv[2] ?? join(ROOT, 'dist'))
  await stage(root)
  console.log(`staged ${root}`)
}
