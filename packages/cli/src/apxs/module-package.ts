import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { ApxsConsole } from './console.ts'
import { ApxsFailure, CommandFailure, reasonOf } from './failure.ts'

/** Marks a package of npm as a module of this server. */
const KEYWORD = 'gatewright-module'
/** A name in a registry, with an optional version or tag; no URLs, repositories or aliases. */
const REGISTRY_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[A-Za-z0-9^~<>=.+-]+)?$/
/** What `-i` has always taken: files of modules, and what build scripts name instead of them. */
const MODULE_FILE = /\.(?:mjs|la|so|sl|dll|dylib)$/

/** A package that was fetched and unpacked. Its name and version are printable. */
export interface ModulePackage {
  readonly folder: string
  readonly name: string
  readonly version: string
  /** The path of its built module; undefined if it has none. */
  readonly built: string | undefined
  /** The path of its main source; undefined if it has none. */
  readonly source: string | undefined
}

/** Whether a word of `-i` is a package, as opposed to a file of a module: a folder, a tarball or a registry's name. */
export function isPackageWord(word: string): boolean {
  const stat = statSync(word, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return existsSync(join(word, 'package.json'))
  if (stat !== undefined) return /\.(?:tgz|tar\.gz)$/.test(word)
  return REGISTRY_NAME.test(word) && !MODULE_FILE.test(word)
}

/**
 * Fetches a package with npm and unpacks it with its dependencies. No script of any package is executed.
 * @param work an empty folder, in which it is unpacked
 */
export function fetchPackage(word: string, work: string, console: ApxsConsole): ModulePackage {
  const spec = existsSync(word) ? resolve(word) : word
  console.err(`fetching ${word} by npm pack, without executing its scripts`)
  npm(['pack', '--ignore-scripts', '--pack-destination', work, '--', spec], work, word)
  const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new CommandFailure(`npm pack has made no package of ${word}`)
  const unpacked = join(work, 'unpacked')
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--omit=dev',
    '--omit=peer',
    '--install-strategy=nested',
  ]
  npm(['install', ...quiet, '--prefix', unpacked, '--', join(work, tarball)], work, word)
  const manifest = join(unpacked, 'node_modules', nameIn(unpacked))
  const folder = join(work, 'package')
  // Sources below a folder node_modules count as those of others, for TypeScript and in source maps.
  renameSync(manifest, folder)
  return describe(folder, word)
}

/** The name of the one package that npm was asked to install. */
function nameIn(unpacked: string): string {
  const { dependencies }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(unpacked, 'package.json'), 'utf8'),
  )
  const [name] = Object.keys(dependencies ?? {})
  if (name === undefined) throw new CommandFailure('npm has installed nothing')
  return name
}

function describe(folder: string, word: string): ModulePackage {
  const manifest = manifestOf(join(folder, 'package.json'))
  const { name, version, keywords, main } = manifest
  if (typeof name !== 'string' || !REGISTRY_NAME.test(name) || typeof version !== 'string' || !/^[\w.+-]+$/.test(version))
    throw new ApxsFailure(`${word}: its package.json has no valid name and version`)
  if (!Array.isArray(keywords) || !keywords.includes(KEYWORD)) {
    const hint = `packages of modules have the keyword ${KEYWORD} in package.json; to build one without it: npm install ${name} and apxs -c node_modules/${name}`
    throw new ApxsFailure(`${name} ${version} is not a module of this server`, hint)
  }
  const built = typeof main === 'string' && main.endsWith('.mjs') ? inside(folder, main) : undefined
  return { folder, name, version, built, source: inside(folder, 'src/index.ts') ?? inside(folder, 'src/index.js') }
}

function manifestOf(file: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A regular file of the package, also if links are followed. */
function inside(folder: string, name: string): string | undefined {
  const path = resolve(folder, name)
  if (!existsSync(path) || !statSync(path).isFile()) return undefined
  return realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`) ? path : undefined
}

/** Runs npm. Its messages contain texts of strangers, and so control characters are removed. */
function npm(argv: readonly string[], cwd: string, word: string): void {
  // The Node options of the caller are not for npm.
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_update_notifier: 'false' }
  const { status, stderr, error } = spawnSync('npm', ['--loglevel=error', ...argv], { cwd, env, encoding: 'utf8' })
  if (error !== undefined)
    throw new CommandFailure(`cannot run npm: ${reasonOf(error)}`, 'apxs -i NAME needs npm in PATH; apxs -i FILE does not')
  if (status === 0) return
  const lines = stderr.split('\n').map(printable)
  const reason = lines
    .flatMap((line) => /^npm error (?!code |errno |syscall |path |A complete log)(\S.*)/.exec(line)?.[1] ?? [])
    .slice(0, 3)
  throw new CommandFailure(
    [`npm could not provide ${word}`, ...reason],
    'name a package of the registry, a tarball or the folder of a package, or a built module FILE.mjs',
  )
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 500)
}
