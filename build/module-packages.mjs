#!/usr/bin/env node
// npm run package:modules -- FOLDER: makes the packages of npm that authors of modules need from the build:
// @gatewright/api, @gatewright/testing and @gatewright/module-kit. Publishing them is up to a person.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { licensesOf } from './bundled-licenses.mjs'
import { ROOT } from './inputs.cjs'

const STAGED = join(ROOT, 'dist')
const KIT = join(ROOT, 'packages/module-kit')

const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('package:modules: no folder is named\nhint: npm run package:modules -- FOLDER')
  process.exit(2)
}
const draft = mkdtempSync(join(tmpdir(), 'gatewright-npm-'))
try {
  mkdirSync(target, { recursive: true })
  const made = { api: stageApi, testing: stageTesting, 'module-kit': stageKit }
  for (const [name, stage] of Object.entries(made)) {
    const folder = join(draft, name)
    mkdirSync(folder)
    writeManifest(folder, name, stage(folder))
    copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    copyFileSync(join(ROOT, 'packages', name, 'README.md'), join(folder, 'README.md'))
    const argv = ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(target)]
    const packed = execFileSync('npm', argv, { cwd: folder, encoding: 'utf8' })
    console.log(join(target, packed.trim()))
  }
} finally {
  rmSync(draft, { recursive: true, force: true })
}

function stageApi(folder) {
  const manifest = copyStaged('api', folder)
  return {
    ...manifest,
    description: 'The API of modules for Gatewright, an HTTP server',
    dependencies: versionsOf('@types/node'),
  }
}

/** The server inside a test's process, with the modules that configurations of tests load. */
function stageTesting(folder) {
  const manifest = copyStaged('testing', folder)
  for (const file of globSync('*.d.mts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    const named = text.replaceAll(/(["'])\.\.\/api\/(\w+)\.js(["'])/g, (_, before, entry, after) => {
      return `${before}@gatewright/api${entry === 'index' ? '' : `/${entry}`}${after}`
    })
    writeFileSync(join(folder, file), named)
  }
  mkdirSync(join(folder, 'modules'))
  for (const file of globSync('modules/mod_*.mjs', { cwd: STAGED })) copyFileSync(join(STAGED, file), join(folder, file))
  addLicenses(folder, globSync('{*.mjs,modules/*.mjs}', { cwd: folder }))
  return {
    ...manifest,
    description: 'Tests of modules for Gatewright, with a server inside the process of the test',
    dependencies: { '@gatewright/api': manifest.version },
  }
}

/** Checks and builds modules: the same code as apxs -c. */
function stageKit(folder) {
  const { version, license } = JSON.parse(readFileSync(join(STAGED, 'include/@gatewright/api/package.json'), 'utf8'))
  copyFileSync(join(STAGED, 'build/toolchain/module-kit.mjs'), join(folder, 'module-kit.mjs'))
  declareKit(join(folder, 'types'))
  const { compilerOptions } = JSON.parse(readFileSync(join(KIT, 'template/tsconfig.json'), 'utf8'))
  writeFileSync(join(folder, 'tsconfig.json'), `${JSON.stringify({ compilerOptions }, null, 2)}\n`)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(ROOT, 'build/npm/gatewright-module.mjs'), join(folder, 'bin/gatewright-module.mjs'))
  chmodSync(join(folder, 'bin/gatewright-module.mjs'), 0o755)
  addLicenses(folder, ['module-kit.mjs'])
  return {
    version,
    license,
    type: 'module',
    description: 'Checks, builds and stamps modules for Gatewright, an HTTP server',
    bin: { 'gatewright-module': 'bin/gatewright-module.mjs' },
    exports: {
      '.': { types: './types/index.d.mts', default: './module-kit.mjs' },
      './tsconfig.json': './tsconfig.json',
      './package.json': './package.json',
    },
    dependencies: { '@gatewright/api': version, ...versionsOf('esbuild', 'typescript', '@types/node') },
  }
}

/** Declarations of all sources of the kit, beside each other as the sources are. */
function declareKit(folder) {
  for (const file of globSync(['*.ts', 'upgrade/*.ts'], { cwd: join(KIT, 'src') })) {
    const fileName = join(KIT, 'src', file)
    const { outputText } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
      fileName,
      compilerOptions: { declaration: true, isolatedDeclarations: true, target: ts.ScriptTarget.ES2024 },
    })
    const declared = join(folder, file.replace(/\.ts$/, '.d.mts'))
    mkdirSync(dirname(declared), { recursive: true })
    writeFileSync(declared, outputText.replaceAll(/(from ["']\.[^"']*)\.ts(["'])/g, '$1.mjs$2'))
  }
}

/** Copies a package as an installed server has it. @returns its package.json without what only a server needs */
function copyStaged(name, folder) {
  const staged = join(STAGED, 'include/@gatewright', name)
  for (const file of readdirSync(staged)) copyFileSync(join(staged, file), join(folder, file))
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'))
  return manifest
}

function writeManifest(folder, name, manifest) {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const complete = { name: `@gatewright/${name}`, ...manifest, engines }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`)
}

function addLicenses(folder, files) {
  const licenses = licensesOf(files.map((file) => readFileSync(join(folder, file))))
  if (licenses.length === 0) return
  mkdirSync(join(folder, 'licenses'))
  for (const { name, file } of licenses) copyFileSync(join(ROOT, file), join(folder, 'licenses', `${basename(name)}.txt`))
}

/** The versions that this project was tested with. */
function versionsOf(...names) {
  return Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version]),
  )
}
