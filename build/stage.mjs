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
import { bundlePrograms, PROGRAMS } from './bundle.mjs'
import { ROOT } from './inputs.cjs'
import { place } from './place.ts'
import { stageConfigVars } from './stage-config-vars.ts'
import { stageConfiguration } from './stage-configuration.ts'
import { stageInclude } from './stage-include.ts'
import { stageToolchain } from './stage-toolchain.ts'

const FOLDERS = ['bin', 'lib', 'modules', 'conf', 'htdocs', 'logs']

/** Stages a server root, except files that the server writes: logs/ is created, and its content is kept. */
export async function stage(root) {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  for (const { name, content } of await bundlePrograms()) place(join(root, 'lib', name), content)
  stageNode(join(root, 'bin/node'))
  for (const name of Object.keys(PROGRAMS)) placeScript(join(root, 'bin', name), script('program').replaceAll('@NAME@', name))
  placeScript(join(root, 'bin/apachectl'), script('apachectl'))
  for (const file of globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT }))
    place(join(root, 'modules', basename(file)), readFileSync(join(ROOT, file)))
  stageConfiguration(root)
  await stageConfigVars(root)
  await stageInclude(root)
  await stageToolchain(root)
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
