import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { availableModules } from '../../packages/module-kit/src/configure/command.ts'
import { configure } from '../../packages/module-kit/src/configure/configure.ts'
import { installedLayout } from '../../packages/module-kit/src/install/installed-layout.ts'
import { installedService } from '../../packages/module-kit/src/install/installed-service.ts'
import { placeItems } from '../../packages/module-kit/src/install/place-items.ts'
import { planInstallation } from '../../packages/module-kit/src/install/plan.ts'
import { aliasPage, manualPage } from '../../packages/module-kit/src/package/manual-page.ts'
import { moduleLoadFile } from '../../packages/module-kit/src/package/module-load-file.ts'
import { bundlePrograms, PROGRAMS } from '../bundle.mjs'
import { licensesOf } from '../bundled-licenses.mjs'
import { ROOT } from '../inputs.cjs'
import { filesBelow, makeFolder, place } from './files.mjs'

const OWN = '/usr/lib/gatewright'
const HERE = join(ROOT, 'build/package')
const MANUALS = join(ROOT, 'packages/cli/manual')

/** Programs that need the build environment of modules, which another package contains. */
const WITHOUT = ['apxs']
/** The names of one program, which acts as its name says. */
const SWITCHES = ['gwenmod', 'gwdismod', 'gwensite', 'gwdissite', 'gwenconf', 'gwdisconf']

/**
 * Stages the files of a package for a Linux distribution: the server in /usr/lib/gatewright with its Node, its
 * configuration in /etc/gatewright in Debian's arrangement, units, manual pages and completion. Programs have names
 * that no other package has, because apache2 may be installed beside it.
 * @param {string} tree the root of the package, an empty folder
 * @param {string} version of the package, for its changelog and manual pages
 */
export async function stagePackage(tree, version) {
  const status = packageStatus()
  const bundles = await bundlePrograms({ modules: status.static, layout: packageLayout(status) })
  placeServer(tree, status, bundles)
  placeConfiguration(tree, status)
  placeCommands(tree)
  placeServices(tree, status)
  placeManualPages(tree, version)
  placeDocumentation(tree, version, bundles)
}

/**
 * Stages the files of a second package with what modules are built with: apxs, the types and tools that it uses, and the
 * template of a module. They belong into the folders of the first package.
 * @param {string} tree the root of the package, an empty folder
 * @param {string} version of the package, for its changelog and manual page
 * @param {string} name of the package, for its folder of documentation
 */
export async function stageDevelopment(tree, version, name = 'gatewright-dev') {
  const status = packageStatus()
  const bundles = await bundlePrograms({ modules: status.static, layout: packageLayout(status) })
  const own = bundles.filter(({ name }) => WITHOUT.includes(name.replace(/\.mjs$/, '')))
  const materials = {
    source: ROOT,
    buildFolder: '',
    staged: join(ROOT, 'dist'),
    programs: WITHOUT,
    bundles: own,
    node: realpathSync(process.execPath),
  }
  // Node and apachectl are in the first package, and a package is not built again by config.nice.
  const isOwn = ({ path }) => !/\/(?:node|apachectl|config\.nice)$/.test(path) || path.includes('/node_modules/')
  const parts = planInstallation(status, materials, () => true)
  const items = parts
    .filter(({ title }) => ['programs', 'what modules are built with'].includes(title))
    .flatMap((part) => part.items)
  placeItems(items.filter(isOwn), tree, { written: 0, unchanged: 0, kept: [] })
  for (const program of WITHOUT) {
    const { command, section } = commandOf(program)
    link(`../lib/gatewright/bin/${program}`, join(tree, 'usr/bin', command))
    const commands = new Map([...programNames(), ...WITHOUT].map((name) => [name, commandOf(name).command]))
    const text = manualPage(readFileSync(join(MANUALS, `${program}.md`), 'utf8'), { name: command, section, version, commands })
    place(join(tree, `usr/share/man/man${section}/${command}.${section}.gz`), gzipSync(text, { level: 9 }))
  }
  placeDocumentation(tree, version, own, name)
}

function packageStatus() {
  return configure({
    words: [
      `--prefix=${OWN}`,
      '--libdir=/usr/lib',
      '--sysconfdir=/etc/gatewright',
      '--logfiledir=/var/log/gatewright',
      '--runtimedir=/run/gatewright',
      '--enable-modules=reallyall',
      '--enable-mods-static=log_config logio unixd version watchdog',
    ],
    environment: {},
    available: availableModules(ROOT),
    program: 'configure',
    readFile: () => '',
  }).status
}

function packageLayout(status) {
  return {
    ...installedLayout(status),
    root: '/etc/gatewright',
    configFile: '/etc/gatewright/gatewright.conf',
    pidFile: '/run/gatewright/httpd.pid',
    errorLog: '/var/log/gatewright/error.log',
    documentRoot: '/var/www/html',
    typesConfig: '/usr/share/gatewright/mime.types',
    modules: status.folders.libexecdir,
    compileCache: '/var/cache/gatewright/compiled',
    configVariables: `${OWN}/config_vars.mk`,
  }
}

function placeServer(tree, status, bundles) {
  const materials = {
    source: ROOT,
    buildFolder: '',
    staged: '',
    programs: programNames(),
    bundles: bundles.filter(({ name }) => !WITHOUT.includes(name.replace(/\.mjs$/, ''))),
    node: realpathSync(process.execPath),
  }
  const parts = planInstallation(status, materials, () => true).filter(({ title }) => ['programs', 'modules'].includes(title))
  for (const { items } of parts) placeItems(items, tree, { written: 0, unchanged: 0, kept: [] })
  execFileSync('strip', ['--strip-unneeded', '--remove-section=.comment', '--remove-section=.note', join(tree, OWN, 'node')])
  // apachectl reads it: folders in /run are gone after each boot.
  place(join(tree, OWN, 'bin/envvars'), 'APACHE_RUN_DIR=/run/gatewright\n')
  for (const folder of ['/var/log/gatewright', '/var/cache/gatewright', '/var/lib/gatewright/dav']) makeFolder(join(tree, folder))
}

function programNames() {
  return Object.keys(PROGRAMS).filter((name) => !WITHOUT.includes(name))
}

function placeConfiguration(tree, status) {
  const etc = join(tree, 'etc/gatewright')
  for (const file of filesBelow(join(HERE, 'etc'))) place(join(etc, file), readFileSync(join(HERE, 'etc', file)))
  for (const name of status.shared)
    place(join(etc, 'mods-available', `${name}.load`), moduleLoadFile(name, status.folders.libexecdir, status.shared))
  place(join(etc, 'conf-available/tls-defaults.conf'), readFileSync(join(ROOT, 'conf/extra/tls-defaults.conf')))
  for (const kind of ['mods', 'conf', 'sites']) makeFolder(join(etc, `${kind}-enabled`))
  place(join(tree, 'usr/share/gatewright/mime.types'), readFileSync(join(ROOT, 'conf/mime.types')))
  place(join(tree, 'usr/share/gatewright/default-site/index.html'), readFileSync(join(HERE, 'index.html')))
}

/** The name of a program in PATH. */
function commandOf(program) {
  if (program === 'gatewright') return { command: 'gatewright', section: 1 }
  if (program === 'httpd') return { command: 'gatewright-httpd', section: 8 }
  if (program === 'apachectl') return { command: 'gatewrightctl', section: 8 }
  return { command: `gw${program}`, section: 1 }
}

function placeCommands(tree) {
  for (const program of [...programNames(), 'apachectl']) {
    const { command, section } = commandOf(program)
    link(`../lib/gatewright/bin/${program}`, join(tree, section === 1 ? 'usr/bin' : 'usr/sbin', command))
  }
  const [first, ...others] = SWITCHES
  place(join(tree, 'usr/sbin', first), readFileSync(join(HERE, 'bin/gwenmod.sh')), 0o755)
  for (const name of others) link(first, join(tree, 'usr/sbin', name))
  place(join(tree, 'usr/share/bash-completion/completions/gatewright'), readFileSync(join(HERE, 'completion/gatewright.bash')))
  for (const name of [...SWITCHES, 'gatewrightctl']) link('gatewright', join(tree, 'usr/share/bash-completion/completions', name))
  place(join(tree, 'usr/share/zsh/vendor-completions/_gatewright'), readFileSync(join(HERE, 'completion/gatewright.zsh')))
}

function placeServices(tree, status) {
  const units = join(ROOT, 'conf/service')
  const unit = installedService(readFileSync(join(units, 'gatewright.service'), 'utf8'), status)
  place(
    join(tree, 'usr/lib/systemd/system/gatewright.service'),
    unit
      .replace(/^\[Service\]$/m, '[Service]\nRuntimeDirectory=gatewright\nCacheDirectory=gatewright\nStateDirectory=gatewright')
      .replace(/^Description=.*$/m, (line) => `${line}\nDocumentation=man:gatewright-httpd(8)`),
  )
  place(join(tree, 'etc/logrotate.d/gatewright'), readFileSync(join(HERE, 'debian/gatewright.logrotate')))
}

/** One page for each command, and for each verb of gatewright. */
function placeManualPages(tree, version) {
  const programs = [...programNames(), 'apachectl']
  const commands = new Map(programs.map((program) => [program, commandOf(program).command]))
  const page = (name, section, text) =>
    place(join(tree, `usr/share/man/man${section}/${name}.${section}.gz`), gzipSync(text, { level: 9 }))
  const fromManual = (file, name, section) =>
    page(name, section, manualPage(readFileSync(join(MANUALS, `${file}.md`), 'utf8'), { name, section, version, commands }))
  const [first, ...others] = SWITCHES
  fromManual(first, first, 8)
  for (const name of others) page(name, 8, aliasPage(first, 8))
  for (const program of programNames()) {
    const { command, section } = commandOf(program)
    fromManual(program, command, section)
  }
  page('gatewrightctl', 8, aliasPage('gatewright-httpd', 8))
  for (const file of globSync('gatewright-*.md', { cwd: MANUALS })) fromManual(basename(file, '.md'), basename(file, '.md'), 1)
}

function placeDocumentation(tree, version, bundles, name = 'gatewright') {
  const doc = join(tree, 'usr/share/doc', name)
  const isServer = name === 'gatewright'
  const modules = isServer
    ? globSync('modules/*/dist/mod_*.mjs', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file)))
    : []
  const parts = licensesOf([...bundles.map(({ content }) => content), ...modules])
  const node = join(dirname(dirname(realpathSync(process.execPath))), 'LICENSE')
  const texts = [...parts.map((part) => [part.name, join(ROOT, part.file)]), ...(isServer ? [['Node.js', node]] : tools())]
  place(
    join(doc, 'copyright'),
    `${readFileSync(join(ROOT, 'LICENSE'), 'utf8')}
The package contains other works, whose licenses are in ${doc.slice(tree.length)}/licenses: ${texts.map(([title]) => title).join(', ')}.
`,
  )
  for (const [title, file] of texts) place(join(doc, `licenses/${title}.txt`), readFileSync(file))
  place(join(doc, 'changelog.gz'), gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 }))
  const debian = `${name} (${version}) unstable; urgency=medium\n\n  * Package of this version; see changelog.gz.\n\n -- Gatewright maintainers <maintainers@gatewright.invalid>  ${packageDate()}\n`
  place(join(doc, 'changelog.Debian.gz'), gzipSync(debian, { level: 9 }))
}

/** The tools that modules are built with, and their licenses. */
function tools() {
  const found = globSync('node_modules/{esbuild,typescript,undici-types,@types/node}/LICENSE*', { cwd: ROOT })
  return found.map((file) => [file.replace(/^node_modules\/(?:@types\/)?/, '').replace(/\/.*/, ''), join(ROOT, file)])
}

/** SOURCE_DATE_EPOCH, the date that reproducible builds state; otherwise now. */
function packageDate() {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000)
  return new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')
}

function link(target, file) {
  makeFolder(dirname(file))
  symlinkSync(target, file)
}
