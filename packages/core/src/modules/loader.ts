import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type AnyModule, isModule } from '@gatewright/api'
import { withHint } from '../config/reader.ts'
import { decideModule } from './gate.ts'

/** A module that is not there after this many milliseconds of loading never will be. */
const LOAD_DEADLINE = 10_000

export type LoadResult = { readonly module: AnyModule; readonly file: string } | { readonly error: string }

/** Where a LoadModule path leads: a `.so` of an existing configuration means our file of the same name. */
export function modulePath(path: string): string {
  return path.endsWith('.so') ? `${path.slice(0, -3)}.mjs` : path
}

/**
 * Loads a module's file: the gate first, then its code.
 * @param written the path as it stands in the configuration
 * @param resolved the same made absolute
 */
export async function loadModuleFile(name: string, written: string, resolved: string): Promise<LoadResult> {
  const cannot = (reason: string, hint?: string): LoadResult => {
    const message = `Cannot load ${written} into server: ${reason}`
    return { error: hint === undefined ? message : withHint(message, hint) }
  }
  const file = modulePath(resolved)
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
