import { fnmatch, hasWildcards } from '@gatewright/expr'
import type { ConfigSource } from '../base/source.ts'

/**
 * The files that `Include` and `IncludeOptional` refer to: a file, a folder with everything below it, or a
 * pattern with wildcards in any of its parts, sorted by bytes at each level.
 * @param pattern absolute path, already relative to the ServerRoot
 * @returns the files in order, or an error text (never for optional ones)
 */
export function includeFiles(pattern: string, optional: boolean, source: ConfigSource): readonly string[] | string {
  if (!hasWildcards(pattern)) {
    const kind = source.kind(pattern)
    if (kind === 'directory') return filesBelow(pattern, source)
    if (kind === 'missing' && optional) return []
    return [pattern]
  }
  return matchParts(pattern, optional, source)
}

/** Maximum depth of nested folders, because links may be circular. */
const MAX_FOLDER_DEPTH = 20

/** Everything below a folder, including dot files: files and folders mixed, sorted; or an error text. */
function filesBelow(folder: string, source: ConfigSource, depth = 0): string[] | string {
  if (depth > MAX_FOLDER_DEPTH) {
    return `Directory '${folder}' exceeds the maximum include directory nesting level of ${MAX_FOLDER_DEPTH}. You have probably a recursion somewhere.`
  }
  let names: string[]
  try {
    names = source.list(folder).sort(byBytes)
  } catch {
    return `Could not open config directory ${folder}: Permission denied`
  }
  const files: string[] = []
  for (const name of names) {
    const path = `${folder.replace(/\/$/, '')}/${name}`
    const below = source.kind(path) === 'directory' ? filesBelow(path, source, depth + 1) : [path]
    if (typeof below === 'string') return below
    files.push(...below)
  }
  return files
}

/** Expands the parts of a pattern from its first wildcard on. */
function matchParts(pattern: string, optional: boolean, source: ConfigSource): readonly string[] | string {
  const parts = pattern.split('/')
  const firstWild = parts.findIndex((part) => hasWildcards(part))
  const root = parts.slice(0, firstWild).join('/') || '/'
  return matchFrom(root, parts.slice(firstWild), optional, source)
}

function matchFrom(
  folder: string,
  parts: readonly string[],
  optional: boolean,
  source: ConfigSource,
): readonly string[] | string {
  const [part, ...rest] = parts
  if (!hasWildcards(part)) {
    const path = `${folder.replace(/\/$/, '')}/${part}`
    if (rest.length === 0)
      return source.kind(path) === 'missing' && optional
        ? []
        : source.kind(path) === 'directory'
          ? filesBelow(path, source)
          : [path]
    if (source.kind(path) !== 'directory')
      return optional ? [] : `Include/IncludeOptional: Could not open directory ${path}: No such file or directory`
    return matchFrom(path, rest, optional, source)
  }
  let names: string[]
  try {
    names = source.list(folder)
  } catch {
    return optional ? [] : `Include/IncludeOptional: Could not open directory ${folder}: No such file or directory`
  }
  const matcher = fnmatch(part, { period: true })
  const found = names.filter((name) => matcher.matches(name)).sort(byBytes)
  const files: string[] = []
  for (const name of found) {
    const path = `${folder.replace(/\/$/, '')}/${name}`
    if (rest.length > 0) {
      if (source.kind(path) !== 'directory') continue
      const below = matchFrom(path, rest, optional, source)
      if (typeof below === 'string') return below
      files.push(...below)
    } else {
      const below = source.kind(path) === 'directory' ? filesBelow(path, source) : [path]
      if (typeof below === 'string') return below
      files.push(...below)
    }
  }
  if (files.length === 0 && !optional) {
    return `Include/IncludeOptional: No matches for the wildcard '${part}' in '${folder}', failing`
  }
  return files
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
