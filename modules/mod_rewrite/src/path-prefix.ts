import { statSync } from 'node:fs'
import type { Run } from './run.ts'

/** Replaces a directory at the start of a path with its URL. A path outside the directory stays unchanged. */
export function replacePrefix(run: Run, path: string, directory: string, url: string): string {
  const front = directory.endsWith('/') ? directory.slice(0, -1) : directory
  if (!path.startsWith(`${front}/`)) return path
  const rest = path.slice(front.length + 1)
  run.trace?.write(5, null, `strip matching prefix: ${path} -> ${rest}`)
  const replaced = url === '' || url.endsWith('/') ? url + rest : `${url}/${rest}`
  run.trace?.write(4, null, `add subst prefix: ${rest} -> ${replaced}`)
  return replaced
}

/**
 * True if a substitution is a path of the file system, not of the server's URLs: its first segment exists,
 * and either the rule itself contains it rather than copying it from the request, or the path is below the
 * DocumentRoot.
 */
export function isFileSystemPath(run: Run, path: string, unsafePrefixes: boolean): boolean {
  const root = path.search(/[^/]/)
  const slash = root < 0 ? -1 : path.indexOf('/', root)
  const first = root < 0 ? '/' : `/${path.slice(root, slash < 0 ? undefined : slash)}`
  if (!exists(first)) return false
  const last = run.lastSubstitution
  if (last === null) {
    run.trace?.write(3, null, `prefix_stat no lastsub subst prefix ${first}`)
    return true
  }
  const unsafe = last.unsafePrefix || unsafePrefixes
  const output = last.substitution?.source ?? ''
  run.trace?.write(
    3,
    null,
    `prefix_stat compare statpath ${first} and lastsub output ${output} STATOK ${unsafe ? UNSAFE_BIT : 0} `,
  )
  return unsafe || startsWith(run, output, first) || startsWith(run, path, run.request.server.documentRoot)
}

/** The value that httpd logs for the flag. */
const UNSAFE_BIT = 1 << 22

function startsWith(run: Run, text: string, prefix: string): boolean {
  const starts = text.startsWith(prefix)
  run.trace?.write(5, null, `prefix_stat startsWith(${text}, ${prefix}) ${starts ? 1 : 0}`)
  return starts
}

function exists(path: string): boolean {
  try {
    return statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
