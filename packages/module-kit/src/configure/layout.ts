import { join } from 'node:path'
import { ConfigureError } from './configure-error.ts'
import { FOLDERS, type Folder } from './folders.ts'
import { LAYOUTS, type LayoutTemplate } from './layouts.ts'
import { absoluteFolder } from './words.ts'

/**
 * Every folder of an installation, as an absolute path without a trailing slash; an empty prefix is the root
 * of the file system.
 */
export type FolderPaths = Readonly<Record<Folder, string>>

/** Folders that a layout omits are those of httpd's default layout. */
const DEFAULT: LayoutTemplate = LAYOUTS.get('Apache') ?? new Map()

/**
 * The folders of a layout.
 * @param chosen folders from the command line, to which other folders of the layout may be relative
 * @throws ConfigureError if a folder is not absolute, or is relative to itself
 */
export function resolveFolders(template: LayoutTemplate, chosen: ReadonlyMap<string, string>): FolderPaths {
  const written = (name: string): string | undefined => chosen.get(name) ?? suffixed(template.get(name)) ?? DEFAULT.get(name)
  const expand = (name: string, path: readonly string[]): string => {
    if (path.includes(name))
      throw new ConfigureError(
        `the layout's ${name} is relative to itself: ${[...path, name].join(' -> ')}`,
        'correct the layout file',
      )
    return (written(name) ?? '').replace(/\$\{?(\w+)\}?/g, (_, other: string) => expand(other, [...path, name]))
  }
  const folder = (name: Folder): string => {
    const path = expand(name, [])
    // Debian's prefix is empty, so every folder has its full path.
    return name === 'prefix' || name === 'exec_prefix' ? path : absoluteFolder(path, `--${name.replaceAll('_', '-')}`)
  }
  // Every folder has an entry.
  return Object.fromEntries(FOLDERS.map((name) => [name, folder(name)])) as Record<Folder, string>
}

/**
 * Whether every folder has the same path below the prefix as in httpd's default layout: such an installation
 * can be moved as a whole.
 */
export function isMovable(folders: FolderPaths): boolean {
  if (folders.prefix === '') return false
  const plain = resolveFolders(DEFAULT, new Map([['prefix', folders.prefix]]))
  return FOLDERS.every((name) => folders[name] === plain[name])
}

/** The bundles of the installation's programs, and the Node that runs them. */
export interface ProgramFolders {
  readonly bundles: string
  readonly node: string
}

/**
 * In folders that other programs share, our files are kept together: a `node` in /usr/bin could overwrite
 * another package's.
 */
export function programFolders(folders: FolderPaths): ProgramFolders {
  if (isMovable(folders)) return { bundles: folders.libdir, node: folders.bindir }
  const own = join(folders.libdir, 'gatewright')
  return { bundles: own, node: own }
}

function suffixed(value: string | undefined): string | undefined {
  return value?.replace(/\+$/, '/apache2')
}
