import { dirname, resolve } from 'node:path'
import { parseDocument } from '@gatewright/config'
import type { Case } from './question-case.ts'

/** Paths in a configuration that a server expects to exist. */
export interface NamedPaths {
  /** Of sections, roots and logs. */
  readonly folders: readonly string[]
  /** Files of LoadModule lines. */
  readonly modules: readonly string[]
  /** Files of certificates and keys. */
  readonly keys: readonly string[]
}

type Items = ReturnType<typeof parseDocument>['items']

const FOLDERS: ReadonlySet<string> = new Set(['documentroot', 'serverroot', 'defaultruntimedir'])
const IN_FOLDERS: ReadonlySet<string> = new Set(['errorlog', 'customlog', 'transferlog', 'pidfile'])

/** The paths that the configurations among the files name without patterns. */
export function namedPaths(files: Case['files'], serverRoot: string): NamedPaths {
  const documents = files.filter(({ path }) => !/\/\.ht[^/]*$/.test(path)).map(({ text }) => parseDocument(text).items)
  const defined = new Map(documents.flatMap((items) => [...definitions(items)]))
  const folders: string[] = []
  const modules: string[] = []
  const keys: string[] = []
  const whole = (written: string | undefined): string | null => {
    const path = written?.replace(/\$\{(\w+)\}/g, (all, name: string) => defined.get(name) ?? all) ?? ''
    return path === '' || /[*?[|%$~]/.test(path) ? null : resolve(serverRoot, path)
  }
  const visit = (items: Items): void => {
    for (const item of items) {
      if (item.kind !== 'directive' && item.kind !== 'section') continue
      const name = item.name.toLowerCase()
      const path = whole(item.words[name === 'loadmodule' || name === 'alias' ? 1 : 0])
      // What depends on the existence of a file must not make it exist.
      if (item.kind === 'section' && name !== 'iffile') visit(item.items)
      if (path === null) continue
      if (name === 'loadmodule') modules.push(path)
      else if (/^ssl\w+file$/.test(name)) keys.push(path)
      else if (/^ssl\w+path$/.test(name)) folders.push(path)
      else if (IN_FOLDERS.has(name)) folders.push(dirname(path))
      else if (FOLDERS.has(name) || name === 'directory' || (name === 'alias' && item.words[1]?.endsWith('/') === true))
        folders.push(path)
    }
  }
  for (const items of documents) visit(items)
  return { folders, modules, keys }
}

function definitions(items: Items): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (inner: Items): void => {
    for (const item of inner) {
      if (item.kind === 'section') visit(item.items)
      else if (item.kind === 'directive' && item.name.toLowerCase() === 'define' && item.words.length === 2)
        found.set(item.words[0], item.words[1])
    }
  }
  visit(items)
  return found
}
