import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Claim,
  httpdAccessFile,
  httpdConfig,
  OtherRoot,
  type PolicyServer,
  switchLines,
  type Variant,
} from '@gatewright/policy'
import { CLIENT_FIELD, PASSWORD } from './ask-httpd.ts'
import type { HttpdProgram } from './httpd-program.ts'
import type { LocalPlaces } from './local-places.ts'

/** One side of a migration, for another server to serve. */
export interface SideToServe {
  readonly server: PolicyServer
  readonly variant: Variant
  readonly claims: readonly Claim[]
}

/** Writes a ServerRoot with the configuration, the folders of the test and their .htaccess files. */
export function writeHttpdRoot(
  folder: string,
  { server, variant, claims }: SideToServe,
  { program, places }: { readonly program: HttpdProgram; readonly places: LocalPlaces },
): void {
  const root = new OtherRoot(join(folder, 'files'))
  const usersFile = join(folder, 'users')
  for (const made of ['files', 'logs']) mkdirSync(join(folder, made), { recursive: true })
  const { configuration } = server
  const ofServer = new Set(configuration.includes.map(({ path }) => path))
  for (const path of [...variant.folders, ...configuration.servers.map(({ documentRoot }) => documentRoot)])
    mkdirSync(root.path(path), { recursive: true })
  for (const [path, text] of variant.texts) {
    if (ofServer.has(path)) continue
    mkdirSync(dirname(root.path(path)), { recursive: true })
    writeFileSync(root.path(path), httpdAccessFile(text, usersFile), 'latin1')
  }
  writeFileSync(usersFile, usersOf(claims), 'latin1')
  const lines = [
    ...frame(folder, program, server),
    ...places.listens.map(({ address, port }) => `Listen ${address}:${port}`),
    `DocumentRoot "${root.path(configuration.main.documentRoot)}"`,
    // A directory without its own users has them too, because the proof treats every user as known.
    `<Directory "/">\nAuthUserFile "${usersFile}"\n</Directory>`,
  ]
  const text = httpdConfig(server, { root, usersFile, address: places.address, port: places.port })
  writeFileSync(join(folder, 'httpd.conf'), [...lines, text, ...switchLines(claims), ''].join('\n'), 'latin1')
  for (const path of [folder, join(folder, 'files')]) chmodSync(path, 0o755)
}

/** The lines that a server needs to start, and to use a header field as the client's address. */
function frame(folder: string, program: HttpdProgram, server: PolicyServer): string[] {
  const { compiledIn, modulesFolder } = program
  const fileOf = (name: string): string => join(modulesFolder, `mod_${name}.so`)
  const model = MODELS.some((name) => compiledIn.has(`${name}.c`)) ? [] : MODELS.map((name) => `mpm_${name}`)
  const ofConfig = server.configuration.modules.map(({ shortName }) => shortName)
  const wanted = [...new Set([...ALWAYS, ...ofConfig.filter(isAboutAccess)])].filter((name) => !compiledIn.has(`mod_${name}.c`))
  const loaded = [
    ...model.filter((name) => existsSync(fileOf(name))).slice(0, 1),
    ...wanted.filter((name) => existsSync(fileOf(name))),
  ]
  return [
    `ServerRoot "${folder}"`,
    'ServerName localhost',
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    'LogLevel crit',
    ...loaded.map((name) => `LoadModule ${name}_module "${fileOf(name)}"`),
    ...owner(),
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    `RemoteIPHeader ${CLIENT_FIELD}`,
    'RemoteIPInternalProxy 127.0.0.0/8',
  ]
}

const MODELS = ['event', 'worker', 'prefork']
const ALWAYS =
  'unixd authn_core authn_file authz_core authz_host authz_user auth_basic access_compat alias setenvif remoteip'.split(' ')
const ABOUT_ACCESS = /^(?:allowmethods|authn_\w+|authz_\w+|dir|rewrite)$/

function isAboutAccess(name: string): boolean {
  return ABOUT_ACCESS.test(name)
}

/** When started by root, it needs another user to run as. */
function owner(): string[] {
  if (process.getuid?.() !== 0) return []
  const users = readFileSync('/etc/passwd', 'latin1').split('\n')
  const found = ['www-data', 'apache', 'www', 'nobody'].map((name) =>
    users.find((line) => line.startsWith(`${name}:`))?.split(':'),
  )
  const [name, , , group] = found.find((one) => one !== undefined) ?? ['nobody', '', '', '65534']
  return [`User ${name}`, `Group #${group}`]
}

function usersOf(claims: readonly Claim[]): string {
  const hash = createHash('sha1').update(PASSWORD).digest('base64')
  const names = claims.flatMap(({ question: { credentials } }) => (credentials?.password === null ? [credentials.user] : []))
  return [...new Set(names)].map((name) => `${name}:{SHA}${hash}\n`).join('')
}
