import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, FileSource, loadConfiguration, RecordingSource, TextSource } from '@gatewright/core'
import { ConfigFiles, loadLines, upgrade } from '@gatewright/policy'
import { DEFAULT_ROOT } from '../program.ts'
import { accessFilesBelow } from './access-files.ts'
import { configurationAt, mainFileIn } from './configuration-at.ts'
import { INSTALLATION } from './installation.ts'
import { installedModules } from './installed-modules.ts'
import { rootOf } from './server-root.ts'
import { TolerantOpening } from './tolerant-opening.ts'
import { treeRules } from './tree-rules.ts'

/** The configuration to read: a file with its includes, or a folder of .htaccess files. */
export interface FilesRequest {
  readonly path: string
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  /** Directives allowed in .htaccess files of a folder. */
  readonly allowOverride: string
  /** Files that the server around a folder denies access to; absent: every name that begins with .ht */
  readonly closedFiles?: readonly string[]
}

/** Everything that a migration reads. */
export interface FilesToMigrate {
  readonly serverRoot: string
  readonly configFile: string
  /** Lines before the configuration, for modules that the server loads by itself. */
  readonly modules: readonly string[]
  /** By absolute path, one character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  readonly accessFolders: readonly string[]
  /** Files of an assumed server that do not exist: they are read but never written. */
  readonly madeUp: ReadonlySet<string>
  /** Files and folders that could not be read, with the reason. */
  readonly unread: readonly string[]
  /**
   * Folders of a tree in which something could not be read; null for a configuration, whose sections
   * distinguish folders as well.
   */
  readonly unreadFolders: readonly string[] | null
}

/** @throws ConfigError, or the system's error, if not even the first file can be read */
export async function filesToMigrate(
  request: FilesRequest,
  opening: TolerantOpening,
  onProgress?: (progress: string) => void,
): Promise<FilesToMigrate> {
  const named = resolve(request.path)
  const isFolder = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true
  const path = isFolder ? (mainFileIn(named) ?? named) : configurationAt(request.path, request.serverRoot).configFile
  if (isFolder && path !== named) configurationAt(path, request.serverRoot)
  return path === named && isFolder ? treeFiles(path, request, onProgress) : serverFiles(path, request, { opening, onProgress })
}

function treeFiles(
  folder: string,
  { allowOverride, closedFiles }: FilesRequest,
  onProgress?: (progress: string) => void,
): FilesToMigrate {
  const { configFile, text } = treeRules(folder, allowOverride, installedModules(), closedFiles)
  const found = accessFilesBelow([folder], new Set(['.htaccess']), onProgress)
  return {
    serverRoot: DEFAULT_ROOT,
    configFile,
    modules: [],
    texts: new Map([[configFile, text], ...found.texts]),
    accessFolders: found.folders,
    madeUp: new Set([configFile]),
    unread: found.unread,
    unreadFolders: found.unreadFolders,
  }
}

/**
 * The names that a server denies access to around a folder to rewrite, as in the standard configuration of
 * 2.4. Only common names: a list of allowed names, `\.(css|html)$`, would otherwise have to exclude a file
 * called `.html`.
 */
export const CLOSED_NAMES: readonly string[] = [
  '<FilesMatch "^\\.ht(?:access|passwd|groups?|digest|users)$">',
  '  Require all denied',
  '</FilesMatch>',
]

async function serverFiles(
  configFile: string,
  request: FilesRequest,
  { opening, onProgress }: { readonly opening: TolerantOpening; readonly onProgress?: (progress: string) => void },
): Promise<FilesToMigrate> {
  const serverRoot = request.serverRoot === null ? rootOf(configFile) : resolve(request.serverRoot)
  const { texts, folders, names, modules } = await serverTexts(configFile, serverRoot, request, opening)
  const found = accessFilesBelow(folders, names, onProgress)
  return {
    serverRoot,
    configFile,
    modules,
    texts: new Map([...texts, ...found.texts]),
    accessFolders: found.folders,
    madeUp: new Set(),
    unread: found.unread,
    unreadFolders: null,
  }
}

/**
 * A configuration that does not load the modules of access control belongs to a server with these modules
 * compiled in, or is a part of a larger one, such as the file of a virtual host: all modules are assumed to
 * be loaded.
 */
async function serverTexts(
  configFile: string,
  serverRoot: string,
  { defines }: FilesRequest,
  opening: TolerantOpening,
): ReturnType<typeof readTexts> {
  const place = { configFile, serverRoot, defines }
  const first = await readTexts({ ...place, modules: [] }, new TolerantOpening(({ line }) => line > 0))
  const modules = loadsAccessModules(first.texts) ? [] : loadLines(installedModules())
  return readTexts({ ...place, modules }, opening)
}

function loadsAccessModules(texts: ReadonlyMap<string, string>): boolean {
  for (const { item } of new ConfigFiles(texts).items())
    if (
      item.kind === 'directive' &&
      item.name.toLowerCase() === 'loadmodule' &&
      /^authz_(?:core|host)_module$/.test(item.words[0] ?? '')
    )
      return true
  return false
}

/**
 * Every file that the configuration reads. A file of 2.2 may not load unchanged: directives that 2.4 removed
 * are omitted, so that the lines after them are read.
 */
async function readTexts(
  { configFile, serverRoot, defines, modules }: Place,
  opening: TolerantOpening,
): Promise<{
  readonly texts: ReadonlyMap<string, string>
  readonly folders: readonly string[]
  readonly modules: readonly string[]
  /** Names of .htaccess files. */
  readonly names: ReadonlySet<string>
}> {
  const texts = new Map([[configFile, readFileSync(configFile, 'latin1')]])
  for (;;) {
    const met = new Set<string>()
    const learn = (): boolean => {
      const news = [...met].filter((path) => !texts.has(path))
      for (const path of news) texts.set(path, readFileSync(path, 'latin1'))
      return news.length > 0
    }
    try {
      const configuration = await opening.open(upgrade(new ConfigFiles(texts)).texts, (readable) => {
        const source = new RecordingSource(new TextSource(readable, new UpgradedFiles()))
        const loading = loadConfiguration({
          ...INSTALLATION,
          serverRoot,
          configFile,
          defines,
          before: modules,
          after: ['ErrorLog /dev/null'],
          source,
          skipDocumentRootCheck: true,
          checkOnly: true,
        })
        return loading.finally(() => {
          for (const path of Object.keys(source.record.texts)) met.add(path)
        })
      })
      // Read all files again together: another file may define whether a group is in a DBM file.
      if (learn()) continue
      const folders = configuration.servedFolders().filter((folder) => existsSync(folder))
      return { texts, modules, folders, names: configuration.accessFileNames }
    } catch (error) {
      if (!(error instanceof ConfigError) || !learn()) throw error
    }
  }
}

interface Place {
  readonly configFile: string
  readonly serverRoot: string
  readonly defines: readonly string[]
  readonly modules: readonly string[]
}

/** Reads each file, when it is first used, without the directives that 2.4 removed. */
class UpgradedFiles extends FileSource {
  override read(path: string): string {
    return upgrade(new ConfigFiles(new Map([[path, super.read(path)]]))).texts.get(path) ?? ''
  }
}
