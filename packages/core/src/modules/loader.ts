import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type AnyModule, isModule } from '@gatewright/api'
import { isModuleOfHttpd } from '../config/directive-homes.ts'
import { withHint } from '../config/reader.ts'
import { decideModule } from './gate.ts'
import { findModuleFile } from './module-file.ts'

/** A module that is not there after this many milliseconds of loading never will be. */
const LOAD_DEADLINE = 10_000

export type LoadResult = { readonly module: AnyModule; readonly file: string } | { readonly error: string }

/**
 * Loads a module's file: the gate first, then its code.
 * @param written the path as it stands in the configuration
 * @param resolved the same made absolute
 * @param modulesFolder where the installation's own modules lie, undefined for nowhere
 */
export async function loadModuleFile(
  name: string,
  written: string,
  resolved: string,
  modulesFolder: string | undefined,
): Promise<LoadResult> {
  const cannot = (reason: string, hint?: string): LoadResult => {
    const message = `Cannot load ${written} into server: ${reason}`
    return { error: hint === undefined ? message : withHint(message, hint) }
  }
  const found = findModuleFile(resolved, modulesFolder)
  if (found.kind === 'none') {
    const reason = found.foreign
      ? `${resolved}: a module of httpd, which this server cannot run`
      : `${resolved}: cannot open shared object file: No such file or directory`
    return cannot(reason, missingModuleHint(basename(resolved, '.so'), found.lookedFor))
  }
  const { file } = found
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    return cannot(`${resolved}: cannot open shared object file: ${openReason(error)}`, `looked for ${file}`)
  }
  const verdict = decideModule(name, written, file, bytes)
  if (!verdict.admitted) return { error: withHint(verdict.message, verdict.hint) }
  try {
    const exported: unknown = await withDeadline(import(pathToFileURL(realpathSync(file)).href))
    const module = typeof exported === 'object' && exported !== null && 'default' in exported ? exported.default : undefined
    if (!isModule(module) || module.name !== name) {
      return { error: `Can't locate API module structure \`${name}' in file ${file}: ${file}: undefined symbol: ${name}` }
    }
    return { module, file }
  } catch (error) {
    return cannot(`${file}: ${await codeError(error, file)}`)
  }
}

/** Advice about a file that is not there: what was looked for, and what to do about a module that httpd has and this server has not. */
function missingModuleHint(name: string, lookedFor: readonly string[]): string {
  const looked = `looked for ${lookedFor.join(' and ')}`
  return isModuleOfHttpd(name)
    ? `${name} does not come with this server yet: take the line out, and whatever needs it outside <IfModule> (a2dismod on Debian); ${looked}`
    : looked
}

async function withDeadline<T>(loading: Promise<T>): Promise<T> {
  // The timer also keeps the process alive: one whose only work is a promise that never settles ends silently.
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the module did not finish loading within ${LOAD_DEADLINE / 1000} seconds`)),
      LOAD_DEADLINE,
    )
  })
  try {
    return await Promise.race([loading, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** What is wrong with a module's code, with its place where Node does not tell it. */
async function codeError(error: unknown, file: string): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return `${error.message} (it was not bundled: build it with apxs)`
  if (error instanceof ReferenceError && /^(module|require|exports) is not defined/.test(error.message))
    return `${error.message}: modules are ES modules`
  if (error instanceof SyntaxError) {
    // Only a run with --check names the line of a syntax error.
    const place = await promisify(execFile)(process.execPath, ['--check', file]).then(() => '', checkPlace)
    return place === '' ? error.message : `${place}: ${error.message}`
  }
  const inFile = error.stack?.split('\n').find((line) => line.includes(pathToFileURL(file).href))
  const place = inFile === undefined ? '' : /:(\d+:\d+)\)?$/.exec(inFile)?.[1]
  return place === undefined || place === '' ? error.message : `${place}: ${error.message}`
}

function checkPlace(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
  return /:(\d+)$/m.exec(text)?.[1] ?? ''
}

function openReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'No such file or directory'
  if (code === 'EACCES') return 'Permission denied'
  if (code === 'EISDIR') return 'Is a directory'
  return error instanceof Error ? error.message : String(error)
}
