import type { CoreDirectoryConfig } from '../model/directory-config.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { WalkState } from '../model/walk-state.ts'
import { DirectoryTree } from '../sections/directory-tree.ts'

/**
 * The combined settings of the plain `<Directory>` sections for a folder, for each server that may serve it.
 * Regular expressions are left out, because they are merged after .htaccess files.
 * @param folder absolute, without trailing slash
 */
export function folderSettings(configuration: ServerConfiguration, folder: string): CoreDirectoryConfig[] {
  return serversOf(configuration, folder).map((server) => stateAt(new DirectoryTree(server), folder).sofar.core)
}

/** The servers whose document roots contain a folder; all if there is none. */
export function serversOf(configuration: ServerConfiguration, folder: string): readonly ServerRecord[] {
  const owners = configuration.servers.filter(({ documentRoot }) => isBelow(folder, documentRoot))
  return owners.length > 0 ? owners : configuration.servers
}

/** The progress of a walk at the end of a folder. */
export function stateAt(tree: DirectoryTree, path: string): WalkState {
  const { parent, sections } = tree.folder(path)
  return (parent === null ? tree.start : stateAt(tree, parent.path)).withAll(sections)
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
