import type {
  AnyDirective,
  AuthnProvider,
  AuthzProvider,
  HookName,
  LintedConfiguration,
  LintRule,
  ModuleCapability,
  OptionalFunction,
  SectionInfo,
  Server,
  ServerAddress,
} from '@gatewright/api'
import type { HookEntry } from '@gatewright/api/status'
import type { ConfigNode } from '@gatewright/config'
import type { LevelSettings } from '@gatewright/log'
import type { OptionsSetting, OverrideGrant } from '../model/directory-config.ts'
import type { SectionMatch } from '../model/section.ts'
import type { SkippedBody } from '../model/skipped-body.ts'
import type { Plan } from './contract.ts'
import type { CheckedHtaccess, HtaccessProgress } from './htaccess-check.ts'
import type { ProgramSource } from './program-sources.ts'

/**
 * A configuration that was read, bound and checked. It is read only, and it is all that tools know of a
 * configuration: dumps, explanations, lint, migration and the process model. What opens or changes something
 * begins with `createRuntime`.
 */
export interface BoundConfiguration {
  /** What a process needs that does not read the configuration itself. */
  readonly plan: Plan
  /** The main file, absolute. */
  readonly configFile: string
  readonly serverRoot: string
  readonly main: ServerView
  /** In the order of the file. */
  readonly virtualHosts: readonly ServerView[]
  /** The main server, then the virtual hosts. */
  readonly servers: readonly ServerView[]
  /** Every section of the server's own files, in their order. */
  readonly sections: readonly SectionView[]
  /** In the order in which they were loaded; core is the first. */
  readonly modules: readonly ModuleView[]
  /** Every file that was read, the main file first. */
  readonly includes: readonly Include[]
  /** The bodies of false conditions in the server's own files. */
  readonly skippedBodies: readonly SkippedBody[]
  /** The lines of the server's own files; none unless they were to be kept. */
  readonly lines: readonly ConfigNode[]
  /** Names from -D and Define, with their values, in the order of definition. */
  readonly defines: ReadonlyMap<string, string | undefined>
  /** The lines of -D DUMP_RUN_CFG about mutexes. */
  mutexLines(): readonly string[]
  /** Directives that were accepted without effect, each with its first occurrence, `FILE:LINE`. */
  readonly withoutEffect: ReadonlyMap<string, string>
  readonly providers: ProvidersView
  /** The .htaccess files that a question assumes, by path; none if requests are served. */
  readonly assumedAccessFiles: ReadonlyMap<string, string>
  /** The names of .htaccess files, by AccessFileName of all servers. */
  readonly accessFileNames: ReadonlySet<string>
  /**
   * The virtual host of connections to an address, or the main server.
   * @param name by which the client asks for it, without port; null for the first host of the address
   */
  hostAt(address: string, port: number, name: string | null): ServerView
  /** Makes a path absolute, relative to the ServerRoot. */
  serverRelative(path: string): string
  /** The text of one of the server's own files. */
  textOf(path: string): string
  /** By identifier (`alias_module`) or source name (`mod_alias.c`). */
  module(name: string): ModuleView | undefined
  /** The modules that declare a directive, the one loaded last first. */
  modulesOf(directive: string): readonly ModuleView[]
  /** The optional function that a module offers. */
  offered<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined
  /** The bodies of false conditions in a section, if it is a .htaccess file. */
  skippedIn(section: SectionInfo): readonly SkippedBody[]
  /**
   * The lines of a section, with expanded variables and without guards and includes; none unless lines were
   * to be kept.
   */
  linesIn(section: SectionInfo): readonly ConfigNode[]
  /** The functions of each hook in the order in which they run; those of core included. */
  hooksInOrder(): readonly HookView[]
  /**
   * Source names of the modules because of which nearly every sub-request and redirect is authorized again,
   * each once.
   */
  decidingByRequest(): readonly string[]
  /**
   * What the lint rules of modules look at; lines of servers and sections only if lines were to be kept.
   * @param accessFiles sections of .htaccess files
   */
  linted(accessFiles: readonly SectionInfo[]): LintedConfiguration
  /** Warnings for operators, which `-t` and a start print. */
  hints(): readonly string[]
  /** Prints the dumps of `-t -D DUMP_...`. @throws ConfigError */
  testConfig(print: (line: string) => void): Promise<void>
  /**
   * The folders whose .htaccess files requests can lead to: document roots, and what `<Directory>` sections
   * name.
   */
  servedFolders(): readonly string[]
  /**
   * What the plain `<Directory>` sections set for a folder, for each server whose documents it may belong to.
   * @param folder absolute, without trailing slash
   */
  folderSettings(folder: string): readonly FolderSettings[]
  /** Checks the .htaccess files in a folder and below it; links to folders are not followed. */
  checkAccessFiles(folder: string): Iterable<HtaccessProgress>
  /** Checks texts as .htaccess files. @param texts by path, one character for each byte */
  checkAccessTexts(texts: Iterable<readonly [path: string, text: string]>): Iterable<CheckedHtaccess>
  /** Lines and files for programs that no loaded module runs: the server would send their text. */
  programSources(): readonly ProgramSource[]
}

/** The main server or a virtual host. */
export interface ServerView extends Server {
  readonly addresses: readonly ServerAddress[]
  /** What directives of core set for it. */
  readonly core: ServerSettings
  /** The levels of its error log; undefined if no line sets them. */
  readonly logLevels: LevelSettings | undefined
}

/** What directives of core set for a server; undefined if none does. Times in milliseconds. */
export interface ServerSettings {
  readonly timeout?: number
  readonly errorLogFormat?: string
  readonly serverAliases: readonly string[]
  readonly wildAliases: readonly string[]
}

/** A section of the server's own files. */
export interface SectionView extends SectionInfo {
  /** null if it does not match anything, such as the server itself. */
  readonly match: SectionMatch | null
}

/** A loaded module. */
export interface ModuleView {
  /** `alias_module` */
  readonly name: string
  /** `mod_alias.c` */
  readonly source: string
  /** `alias` */
  readonly shortName: string
  /** Compiled in, as opposed to loaded by LoadModule. */
  readonly builtIn: boolean
  /** What it declares to use beyond the API, sorted. */
  readonly capabilities: readonly ModuleCapability[]
  /** Its directives by name. */
  readonly directives: Readonly<Record<string, AnyDirective>>
}

/** A file that was read. */
export interface Include {
  readonly path: string
  /** The line that includes it; null for the main file. */
  readonly from: { readonly file: string; readonly line: number } | null
  /** 0 for the main file. */
  readonly depth: number
}

/** A hook with its functions in the order in which they run. */
export interface HookView {
  readonly name: HookName
  readonly functions: readonly HookEntry[]
}

/** The providers that modules and directives have added. */
export interface ProvidersView {
  readonly authn: ProviderLookup<AuthnProvider>
  readonly authz: ProviderLookup<AuthzProvider>
  readonly lintRules: ProviderLookup<LintRule>
}

/** Providers of one group by name. */
export interface ProviderLookup<P> {
  get(name: string): P | undefined
  names(): readonly string[]
}

/** What sections set for a folder. */
export interface FolderSettings {
  readonly options: OptionsSetting
  /** undefined if no AllowOverride applies. */
  readonly override?: OverrideGrant
}
