#!/usr/bin/env node
// npm run package:rpm -- FOLDER: makes FOLDER/gatewright-VERSION-RELEASE.ARCHITECTURE.rpm and gatewright-devel-... from the build, with the files of the packages for Debian. It needs rpmbuild and strip, and no root.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../inputs.cjs'
import { filesBelow } from './files.mjs'
import { stageDevelopment, stagePackage } from './package-tree.mjs'

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' }
const HERE = join(ROOT, 'build/package/rpm')

const { folder, release, compression } = parsed()
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const architecture = ARCHITECTURES[process.arch]
if (architecture === undefined) fail(`there is no architecture of RPM for ${process.arch}`, 'build it on x64 or arm64')

await makePackage('gatewright', stagePackage)
await makePackage('gatewright-devel', (tree, full) => stageDevelopment(tree, full, 'gatewright-devel'))

/** @param stage writes the files of the package into an empty folder */
async function makePackage(name, stage) {
  const work = mkdtempSync(join(tmpdir(), 'gatewright-rpm-'))
  try {
    const tree = join(work, 'tree')
    mkdirSync(tree)
    chmodSync(tree, 0o755)
    await stage(tree, `${version}-${release}`)
    arrange(tree, name)
    writeFileSync(join(work, 'files'), fileList(tree))
    writeFileSync(join(work, `${name}.spec`), specification(work, name))
    const defines = { _topdir: join(work, 'build'), _rpmdir: join(work, 'rpms'), _binary_payload: compression, _tmppath: work }
    const words = Object.entries(defines).flatMap(([key, value]) => ['--define', `${key} ${value}`])
    run('rpmbuild', ['-bb', '--quiet', '--target', `${architecture}-linux`, ...words, join(work, `${name}.spec`)])
    mkdirSync(folder, { recursive: true })
    for (const made of globSync(join(work, 'rpms/**/*.rpm'))) {
      const file = join(folder, basename(made))
      copyFileSync(made, file)
      const installed = filesBelow(tree).reduce((sum, path) => sum + lstatSync(join(tree, path)).size, 0)
      console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ${(installed / 1e6).toFixed(0)} MB installed`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function parsed() {
  try {
    const { values, positionals } = parseArgs({
      options: { release: { type: 'string', default: '1' }, fast: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length > 1 || !/^[\w.+~]+$/.test(values.release)) throw new Error('wrong arguments')
    return {
      folder: resolve(positionals[0] ?? join(ROOT, 'dist/packages')),
      release: values.release,
      compression: values.fast ? 'w1.gzdio' : 'w7.xzdio',
    }
  } catch (error) {
    fail(error.message, 'npm run package:rpm -- [FOLDER] [--release N] [--fast]; --fast compresses less')
  }
}

/** Files that belong to Debian alone, and places that have other names. */
function arrange(tree, name) {
  rmSync(join(tree, 'usr/share/doc', name, 'changelog.Debian.gz'))
  const zsh = join(tree, 'usr/share/zsh')
  if (!existsSync(zsh)) return
  mkdirSync(join(zsh, 'site-functions'))
  copyFileSync(join(zsh, 'vendor-completions/_gatewright'), join(zsh, 'site-functions/_gatewright'))
  rmSync(join(zsh, 'vendor-completions'), { recursive: true })
}

/** The lines of `%files`: configuration is kept if it was changed, and folders of the server belong to the package. */
function fileList(tree) {
  const files = filesBelow(tree).map((name) => {
    const isLink = lstatSync(join(tree, name)).isSymbolicLink()
    const kind = name.startsWith('etc/') && !isLink ? '%config(noreplace) ' : name.startsWith('usr/share/man/') ? '%doc ' : ''
    return `${kind}"/${name}"`
  })
  const folders = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length))
    .filter((name) => /\/gatewright(?:-devel)?(?:\/|$)/.test(name))
    .map((name) => `%dir "${name}"`)
  return ['%defattr(-,root,root,-)', ...folders, ...files, ''].join('\n')
}

function specification(work, name) {
  const scripts = Object.fromEntries(
    ['pre', 'post', 'preun', 'postun'].map((name) => [name.toUpperCase(), readFileSync(join(HERE, name), 'utf8').trim()]),
  )
  const values = { VERSION: version, RELEASE: release, TREE: join(work, 'tree'), FILES: join(work, 'files'), ...scripts }
  return readFileSync(join(HERE, `${name}.spec`), 'utf8').replace(/@([A-Z]+)@/g, (_, key) => values[key])
}

function run(program, words) {
  try {
    execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    fail(
      error.code === 'ENOENT' ? `${program} was not found` : error.message,
      'on Fedora: dnf install rpm-build binutils; on Debian: apt-get install rpm binutils',
    )
  }
}

function fail(message, hint) {
  console.error(`package:rpm: ${message}\nhint: ${hint}`)
  process.exit(2)
}
