#!/usr/bin/env node
// npm run package:deb -- FOLDER: makes FOLDER/gatewright_VERSION_ARCHITECTURE.deb and gatewright-dev_... from the build. It needs dpkg-deb and strip, and no root.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../inputs.cjs'
import { filesBelow, place } from './files.mjs'
import { stageDevelopment, stagePackage } from './package-tree.mjs'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
const HERE = join(ROOT, 'build/package/debian')

const { folder, revision, compression } = parsed()
const version = `${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}-${revision}`
const architecture = ARCHITECTURES[process.arch]
if (architecture === undefined) fail(`there is no Debian architecture for ${process.arch}`, 'build it on x64 or arm64')

await makePackage('gatewright', stagePackage)
await makePackage('gatewright-dev', stageDevelopment)

/** @param stage writes the files of the package into an empty folder */
async function makePackage(name, stage) {
  const tree = mkdtempSync(join(tmpdir(), 'gatewright-deb-'))
  try {
    chmodSync(tree, 0o755)
    await stage(tree, version)
    addDebianFiles(tree, name)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}_${version}_${architecture}.deb`)
    run('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file])
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ${(installedSize(tree) / 1000).toFixed(0)} MB installed`)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function parsed() {
  try {
    const { values, positionals } = parseArgs({
      options: { revision: { type: 'string', default: '1' }, fast: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length > 1 || !/^[\w.+~]+$/.test(values.revision)) throw new Error('wrong arguments')
    return {
      folder: resolve(positionals[0] ?? join(ROOT, 'dist/packages')),
      revision: values.revision,
      compression: values.fast ? ['-Zgzip', '-z1'] : ['-Zxz'],
    }
  } catch (error) {
    fail(error.message, 'npm run package:deb -- [FOLDER] [--revision N] [--fast]; --fast compresses less')
  }
}

/** Control files, beside what every package of the system has. */
function addDebianFiles(tree, packageName) {
  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  const isServer = packageName === 'gatewright'
  const scripts = isServer ? ['postinst', 'prerm', 'postrm'] : []
  for (const name of scripts) place(join(control, name), readFileSync(join(HERE, name)), 0o755)
  const overrides = readFileSync(join(HERE, isServer ? 'lintian-overrides' : 'lintian-overrides-dev'))
  place(join(tree, 'usr/share/lintian/overrides', packageName), overrides)
  const files = filesBelow(tree).filter((name) => !name.startsWith('DEBIAN/') && !lstatSync(join(tree, name)).isSymbolicLink())
  const conffiles = files.filter((name) => name.startsWith('etc/')).map((name) => `/${name}\n`)
  if (conffiles.length > 0) place(join(control, 'conffiles'), conffiles.join(''))
  place(
    join(control, 'md5sums'),
    files
      .filter((name) => !name.startsWith('etc/'))
      .map(
        (name) =>
          `${createHash('md5')
            .update(readFileSync(join(tree, name)))
            .digest('hex')}  ${name}\n`,
      )
      .join(''),
  )
  const values = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(installedSize(tree)), MAINTAINER: maintainer() }
  place(
    join(control, 'control'),
    readFileSync(join(HERE, isServer ? 'control' : 'control-dev'), 'utf8').replace(/@([A-Z]+)@/g, (_, name) => values[name]),
  )
}

/** DEBFULLNAME and DEBEMAIL, as Debian's tools use them. */
function maintainer() {
  const { DEBFULLNAME = 'Gatewright maintainers', DEBEMAIL = 'maintainers@gatewright.invalid' } = process.env
  return `${DEBFULLNAME} <${DEBEMAIL}>`
}

/** In KiB, as dpkg counts: each file in whole KiB. */
function installedSize(tree) {
  return filesBelow(tree)
    .map((name) => Math.ceil(lstatSync(join(tree, name)).size / 1024))
    .reduce((sum, size) => sum + size, 0)
}

function run(program, words) {
  try {
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    fail(error.code === 'ENOENT' ? `${program} was not found` : error.message, 'on Debian: apt-get install dpkg binutils')
  }
}

function fail(message, hint) {
  console.error(`package:deb: ${message}\nhint: ${hint}`)
  process.exit(2)
}
