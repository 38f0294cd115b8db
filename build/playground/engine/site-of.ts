import { basename, join } from 'node:path'
import { loadLines } from '@gatewright/policy'
import mimeTypes from '../../../conf/mime.types'
import { installedModules } from '../../../packages/cli/src/gatewright/installed-modules.ts'
import { rootOf } from '../../../packages/cli/src/gatewright/server-root.ts'
import { TREE_OVERRIDE, treeRules } from '../../../packages/cli/src/gatewright/tree-rules.ts'
import { DEFAULT_ROOT, MODULES_FOLDER } from '../../../packages/cli/src/program.ts'
import { LINKED } from '../linked-modules.ts'
import { setFiles } from '../stand-ins/memory-files.ts'
import { namedPaths } from './named-paths.ts'
import type { Case } from './question-case.ts'

/** The files of a case, in their place. */
export interface Site {
  readonly serverRoot: string
  readonly configFile: string
  /** The folder to which shown paths are relative. */
  readonly folder: string
  /** Lines that are read before the configuration. */
  readonly before: readonly string[]
  /** The text of a configuration that is no file; null if it is one. */
  readonly madeUp: string | null
}

/** Puts the files of a case where the server reads them, with the folders that they name. */
export function siteOf({ start, files }: Case): Site {
  const isServer = files.some(({ path }) => path === start)
  const serverRoot = isServer ? rootOf(start) : DEFAULT_ROOT
  place(serverRoot, files, isServer ? [] : [start])
  if (!isServer) {
    const { configFile, text } = treeRules(start, TREE_OVERRIDE)
    return { serverRoot, configFile, folder: start, before: [], madeUp: text }
  }
  return { serverRoot, configFile: start, folder: serverRoot, before: modulesFor(files), madeUp: null }
}

/** A configuration without the modules of access control is part of a larger one: all modules are assumed. */
function modulesFor(files: Case['files']): readonly string[] {
  const loads = files.some(({ text }) => /^\s*LoadModule\s+authz_(?:core|host)_module\b/im.test(text))
  return loads ? [] : loadLines(installedModules())
}

function place(serverRoot: string, files: Case['files'], folders: readonly string[]): void {
  const encoder = new TextEncoder()
  const all = new Map<string, Uint8Array>([...LINKED.keys()].map((name) => [join(MODULES_FOLDER, name), NO_BYTES]))
  const named = namedPaths(files, serverRoot)
  for (const path of named.modules) if (LINKED.has(basename(path))) all.set(path, NO_BYTES)
  // Certificates are not read: it suffices that they are there.
  for (const path of named.keys) all.set(path, encoder.encode('a file that is not read'))
  const types = encoder.encode(mimeTypes)
  for (const path of [join(serverRoot, 'conf/mime.types'), '/etc/mime.types']) all.set(path, types)
  for (const { path, text } of files) all.set(path, encoder.encode(text))
  const standard = [serverRoot, join(serverRoot, 'logs'), join(serverRoot, 'htdocs'), '/dev', '/tmp', '/var/log']
  setFiles(all, [...standard, ...folders, ...named.folders])
}

const NO_BYTES = new Uint8Array()
