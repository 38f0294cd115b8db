import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigStatus } from '../configure/config-status.ts'
import { isMovable, programFolders } from '../configure/layout.ts'
import { configVariablesText } from './config-variables.ts'
import { installedConf } from './installed-conf.ts'
import { installedService } from './installed-service.ts'
import type { Item } from './item.ts'
import { manualPages } from './manual-pages.ts'
import { belowPrefix } from './shown-path.ts'

/** The inputs of an installation. */
export interface Materials {
  /** The source tree. */
  readonly source: string
  /** Folder of config.nice. */
  readonly buildFolder: string
  /** The staged build, from which the module build environment and the manual in `site` are copied. */
  readonly staged: string
  /** Names of the programs in bin/. */
  readonly programs: readonly string[]
  /** The programs' bundles. */
  readonly bundles: readonly { readonly name: string; readonly content: Uint8Array }[]
  /** The Node that runs them. */
  readonly node: string
}

/** Programs for administrators: they have a folder of their own if the layout has one. */
const OF_ADMINISTRATORS = ['httpd', 'apachectl']

/** A part of the installation, under the name that progress messages use. */
export interface Part {
  readonly title: string
  readonly items: readonly Item[]
}

/**
 * Lists the files and folders to install. Files that an operator may have changed, configuration and pages,
 * are `keep`. The configuration as delivered is also written to `original`.
 * @param isThere whether a final path already exists
 */
export function planInstallation(status: ConfigStatus, materials: Materials, isThere: (path: string) => boolean): Part[] {
  return [
    { title: 'programs', items: programs(status, materials) },
    { title: 'modules', items: modules(status, materials) },
    { title: 'configuration', items: configuration(status, materials) },
    { title: 'pages', items: pages(status, materials, isThere) },
    { title: 'documentation', items: copyOf(join(materials.staged, 'site'), status.folders.manualdir) },
    { title: 'manual pages', items: manual(status, materials) },
    { title: 'what modules are built with', items: building(status, materials) },
    { title: 'folders for logs', items: [folder(status.folders.logfiledir), folder(status.folders.runtimedir)] },
  ]
}

function programs(status: ConfigStatus, { source, programs: names, bundles, node }: Materials): Item[] {
  const { folders, program } = status
  const own = programFolders(folders)
  const template = isMovable(folders) ? 'program.sh' : 'program-at.sh'
  const text = (file: string): string => readFileSync(join(source, 'build/bin', file), 'utf8')
  const scriptOf = (name: string): string =>
    text(template)
      .replaceAll('@NAME@', name)
      .replaceAll('@NODE@', `${own.node}/node`)
      .replaceAll('@LIB@', own.bundles)
      .replaceAll('@CONFIG_VARS@', `${folders.installbuilddir}/config_vars.mk`)
  const scripts = [...names.map((name) => [name, scriptOf(name)] as const), ['apachectl', text('apachectl.sh')] as const]
  return [
    file(`${own.node}/node`, { from: node }, 0o755),
    ...bundles.map(({ name, content }) => file(`${own.bundles}/${name}`, content)),
    ...scripts.map(([name, script]) => {
      const place = OF_ADMINISTRATORS.includes(name) ? folders.sbindir : folders.bindir
      const called = name === 'httpd' ? program : name
      return file(`${place}/${called}`, Buffer.from(script.replaceAll('"$bin/httpd"', `"$bin/${program}"`)), 0o755)
    }),
  ]
}

function modules({ folders, shared }: ConfigStatus, { source }: Materials): Item[] {
  return [
    folder(folders.libexecdir),
    ...shared.map((name) =>
      file(`${folders.libexecdir}/mod_${name}.mjs`, { from: join(source, 'modules', `mod_${name}`, 'dist', `mod_${name}.mjs`) }),
    ),
  ]
}

function configuration(status: ConfigStatus, { source }: Materials): Item[] {
  const conf = status.folders.sysconfdir
  const templates = join(source, 'build/conf')
  const filled = filesBelow(templates).map((name): [string, Uint8Array] => [
    name === 'httpd.conf' ? `${status.program}.conf` : name,
    Buffer.from(installedConf(readFileSync(join(templates, name), 'utf8'), status)),
  ])
  const units = join(source, 'conf/service')
  const services = filesBelow(units).map((name): [string, Uint8Array] => [
    `service/${name}`,
    Buffer.from(installedService(readFileSync(join(units, name), 'utf8'), status)),
  ])
  const shared = ['mime.types', 'extra/tls-defaults.conf'].map((name): [string, Uint8Array] => [
    name,
    readFileSync(join(source, 'conf', name)),
  ])
  const all = [...filled, ...services, ...shared]
  return all.flatMap(([name, content]) => [kept(`${conf}/${name}`, content), file(`${conf}/original/${name}`, content)])
}

/** Existing pages belong to the operator as a whole. */
function pages({ folders }: ConfigStatus, { source }: Materials, isThere: (path: string) => boolean): Item[] {
  if (isThere(folders.htdocsdir)) return []
  const own = join(source, 'build/htdocs')
  return filesBelow(own).map((name) => file(`${folders.htdocsdir}/${name}`, { from: join(own, name) }))
}

function manual({ folders, program }: ConfigStatus, { source }: Materials): Item[] {
  return manualPages(source, program, packageVersion(source)).map(({ path, text }) =>
    file(`${folders.mandir}/${path}`, Buffer.from(text)),
  )
}

/** The version of the source tree. */
function packageVersion(source: string): string {
  const content: unknown = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const version = content instanceof Object ? Reflect.get(content, 'version') : undefined
  return typeof version === 'string' ? version : ''
}

function building(status: ConfigStatus, { source, buildFolder, staged }: Materials): Item[] {
  const { installbuilddir, includedir } = status.folders
  return [
    folder(includedir),
    ...copyOf(join(staged, 'include'), includedir),
    ...['toolchain', 'template'].flatMap((name) => copyOf(join(staged, 'build', name), `${installbuilddir}/${name}`)),
    file(`${installbuilddir}/config.nice`, { from: join(buildFolder, 'config.nice') }, 0o755),
    file(`${installbuilddir}/config_vars.mk`, Buffer.from(configVariablesText(status, { source, buildFolder }))),
  ]
}

function copyOf(from: string, to: string): Item[] {
  // A binary among the tools remains executable.
  return filesBelow(from).map((name) =>
    file(`${to}/${name}`, { from: join(from, name) }, /(^|\/)bin\/[^.]+$/.test(name) ? 0o755 : 0o644),
  )
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => belowPrefix(join(entry.parentPath, entry.name), folder))
      .sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function folder(path: string): Item {
  return { kind: 'folder', path }
}

function file(path: string, content: Uint8Array | { readonly from: string }, mode: 0o644 | 0o755 = 0o644): Item {
  return { kind: 'file', path, mode, content, existing: 'replace' }
}

function kept(path: string, content: Uint8Array): Item {
  return { kind: 'file', path, mode: 0o644, content, existing: 'keep' }
}
