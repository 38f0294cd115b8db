#!/usr/bin/env node
// npm run package:npm -- FOLDER: makes FOLDER/gatewright-VERSION.tgz from the build, a package for npx. It
// contains the tool and its modules and has no dependencies.
import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { bundlePrograms } from './bundle.mjs'
import { licensesOf } from './bundled-licenses.mjs'
import { ROOT } from './inputs.cjs'

const PARTS = [
  ...['gatewright.mjs', 'gatewright-check.mjs', 'gatewright-verbs.mjs', 'password-worker.mjs'],
  ...['gatewright-lsp.mjs', 'gatewright-lsp-analyser.mjs', 'gatewright-manual.json', 'gatewright-own-modules.json'],
]

const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('package:npm: no folder is named\nhint: npm run package:npm -- FOLDER')
  process.exit(2)
}
const draft = mkdtempSync(join(tmpdir(), 'gatewright-npm-'))
try {
  await stagePackage(draft)
  mkdirSync(target, { recursive: true })
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(target)], { cwd: draft, encoding: 'utf8' })
  console.log(join(target, name.trim()))
} finally {
  rmSync(draft, { recursive: true, force: true })
}

async function stagePackage(folder) {
  for (const name of ['bin', 'lib', 'modules', 'conf', 'logs', 'licenses']) mkdirSync(join(folder, name))
  const bundles = (await bundlePrograms()).filter(({ name }) => PARTS.includes(name))
  for (const { name, content } of bundles) writeFileSync(join(folder, 'lib', name), content)
  const modules = globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT })
  for (const file of modules) copy(file, join(folder, 'modules', basename(file)))
  const contents = [...bundles.map(({ content }) => content), ...modules.map((file) => readFileSync(join(ROOT, file)))]
  for (const { name, file } of licensesOf(contents)) copy(file, join(folder, 'licenses', `${name}.txt`))
  copy('conf/mime.types', join(folder, 'conf/mime.types'))
  copy('LICENSE', join(folder, 'LICENSE'))
  copy('build/npm/README.md', join(folder, 'README.md'))
  // Compiled code is kept beside it between runs; npm packs no empty folders.
  writeFileSync(join(folder, 'logs/README'), 'Compiled code is kept here between runs. It may be removed.\n')
  copy('build/npm/gatewright.mjs', join(folder, 'bin/gatewright.mjs'))
  chmodSync(join(folder, 'bin/gatewright.mjs'), 0o755)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

function manifest() {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description: 'Checks, explains and migrates .htaccess files and configurations of Apache httpd',
    license,
    type: 'module',
    engines,
    bin: { gatewright: 'bin/gatewright.mjs' },
  }
}

function copy(file, place) {
  writeFileSync(place, readFileSync(join(ROOT, file)))
}
