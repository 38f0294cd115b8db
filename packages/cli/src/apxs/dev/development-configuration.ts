import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Modules that configurations of most modules use. The rest is loaded by LoadModule lines of the package's own file. */
const USUAL = [
  'authn_core',
  'authn_file',
  'auth_basic',
  'authz_core',
  'authz_host',
  'authz_user',
  'alias',
  'dir',
  'env',
  'headers',
  'log_config',
  'mime',
  'setenvif',
]

/** What the configuration of a development server is made of; all paths are absolute. */
export interface DevelopmentConfiguration {
  /** ServerRoot: a temporary folder. */
  readonly root: string
  /** The folder of installed modules. */
  readonly modules: string
  readonly port: number
  /** The built module, and its name for LoadModule. */
  readonly file: string
  readonly identifier: string
  /** The folder with the site, and the package's own lines; null if it has none. */
  readonly site: string
  readonly include: string | null
  /** mime.types of the installation, if it has one. */
  readonly types: string
}

/** The text of httpd.conf. Only this machine can connect. */
export function developmentConfiguration(parts: DevelopmentConfiguration): string {
  const { root, modules, port, file, identifier, site, include, types } = parts
  const usual = USUAL.map((name) => [name, join(modules, `mod_${name}.mjs`)] as const).filter(
    ([name, path]) => `${name}_module` !== identifier && existsSync(path),
  )
  return [
    `ServerRoot "${root}"`,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    'PidFile httpd.pid',
    // Which modules are compiled in is up to configure.
    ...usual.flatMap(([name, path]) => [`<IfModule !${name}_module>`, `LoadModule ${name}_module "${path}"`, '</IfModule>']),
    `LoadModule ${identifier} "${file}"`,
    `DocumentRoot "${site}"`,
    ...(existsSync(types) ? [`TypesConfig "${types}"`] : []),
    'ErrorLog /dev/stderr',
    'CustomLog /dev/stdout json',
    'LogLevel warn',
    `LogLevel ${identifier.replace(/_module$/, '')}:debug`,
    ...(include === null ? [] : [`Include "${include}"`]),
    '',
  ].join('\n')
}
