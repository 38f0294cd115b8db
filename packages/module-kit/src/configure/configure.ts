import { type ChangedDefault, changedDefaults } from './changed-defaults.ts'
import { type ConfigStatus, STATUS_FORM } from './config-status.ts'
import { ConfigureError } from './configure-error.ts'
import { isMovable, resolveFolders } from './layout.ts'
import { readLayoutFile } from './layout-file.ts'
import { LAYOUTS, type LayoutTemplate } from './layouts.ts'
import { type HttpdLine, recognizeLine } from './line-of-httpd.ts'
import { isLoadedByDefault } from './load-lines.ts'
import { meaningOf, nearestOption } from './meanings.ts'
import { HTTPD_MODULES } from './module-classes.ts'
import { type NiceFile, RECORDED_VARIABLES } from './nice-text.ts'
import { type ModuleSelection, selectModules } from './selection.ts'
import { choosePort, chooseProcessModel, chooseProgram, type ProcessModels, replacedModels } from './settings.ts'
import { type ConfigureWord, parseWords } from './words.ts'

export interface ConfigureRequest {
  /** Words of the command line that concern the server. */
  readonly words: readonly string[]
  /** A command that was recorded elsewhere; its words come first. */
  readonly recorded?: { readonly nice: NiceFile; readonly line?: HttpdLine }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Names without `mod_` of the modules whose sources are present. */
  readonly available: readonly string[]
  /** Path of configure, which config.nice calls. */
  readonly program: string
  /** Reads a file of layouts. */
  readonly readFile: (path: string) => string
}

export interface Configuration {
  readonly nice: NiceFile
  readonly status: ConfigStatus
  readonly report: ConfigureReport
}

/** The report for people, and with --json for programs. */
export interface ConfigureReport {
  readonly layout: string
  /** The installation can be moved as a whole. */
  readonly movable: boolean
  readonly folders: Readonly<Record<string, string>>
  readonly port: number
  readonly processModel: { readonly asked: string | null; readonly used: 'event' }
  /** `loaded`: the LoadModule line of the installed httpd.conf is active. */
  readonly shared: readonly { readonly name: string; readonly loaded: boolean }[]
  readonly static: readonly string[]
  /** Modules that a recorded command names and that this server does not provide. */
  readonly leftOut: readonly string[]
  /** Modules of httpd whose function is built into this server. */
  readonly notNeeded: readonly string[]
  /** Options as they were written. */
  readonly withoutMeaning: readonly string[]
  readonly unknown: readonly { readonly text: string; readonly hint: string | null }[]
  /**
   * The line of httpd that recorded the command; null if the command does not show it, absent if no command
   * was recorded.
   */
  readonly recordedBy?: HttpdLine | null
  readonly changedDefaults: readonly ChangedDefault[]
}

/**
 * Decides how to build the server from a command line.
 * @throws ConfigureError for a request that cannot be fulfilled
 */
export function configure(request: ConfigureRequest): Configuration {
  const { available, recorded } = request
  const recordedWords = recorded?.nice.words ?? []
  const before = parseWords(recordedWords)
  const given = parseWords(request.words)
  const words = [...before, ...given]
  const replaced = replacedModels(processModelsOf(before))
  const modules = selectModules(words, available)
  const forgiven = selectModules(before, available).missing
  const leftOut = modules.missing.filter((name) => forgiven.includes(name))
  refuseMissing(modules.missing.filter((name) => !forgiven.includes(name)))
  const variables = recordedVariables(words, { ...request.environment, ...Object.fromEntries(recorded?.nice.variables ?? []) })
  const status = decide([...before, ...parseWords(replaced), ...given], modules, request, variables)
  return {
    nice: {
      variables: Object.entries(variables),
      program: request.program,
      words: [
        ...recordedWords,
        ...replaced,
        ...request.words,
        ...leftOut.map((name) => `--disable-${name.replaceAll('_', '-')}`),
      ],
    },
    status,
    report: describe(words, modules, leftOut, status, request),
  }
}

/** As with httpd, naming a module that is not available on the command line is an error. */
function refuseMissing(names: readonly string[]): void {
  if (names.length === 0) return
  const disabled = names.map((name) => `--disable-${name.replaceAll('_', '-')}`).join(' ')
  throw new ConfigureError(
    names.map((name) => `mod_${name} has been requested but can not be built due to prerequisite failures`).join('; '),
    `this server has no ${names.map((name) => `mod_${name}`).join(', ')}; remove it, or append: ${disabled}`,
  )
}

function recordedVariables(
  words: readonly ConfigureWord[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const name of RECORDED_VARIABLES) {
    const given = words.findLast((word) => word.kind === 'variable' && word.name === name)
    const value = given?.kind === 'variable' ? given.value : environment[name]
    if (value !== undefined && value !== '') variables[name] = value
  }
  return variables
}

function decide(
  words: readonly ConfigureWord[],
  modules: ModuleSelection,
  { readFile }: ConfigureRequest,
  variables: Readonly<Record<string, string>>,
): ConfigStatus {
  const last = (kind: 'feature' | 'package', name: string): string | undefined => lastValue(words, kind, name)
  const layout = last('feature', 'layout') ?? 'Apache'
  const chosen = words.flatMap((word) => (word.kind === 'folder' ? [[word.name, word.value] as const] : []))
  chooseProcessModel(processModelsOf(words))
  const loadAll = last('feature', 'load_all_modules') ?? last('feature', 'maintainer_mode') ?? 'no'
  return {
    form: STATUS_FORM,
    program: chooseProgram(last('package', 'program_name')),
    layout,
    folders: resolveFolders(findLayout(layout, readFile), new Map(chosen)),
    shared: modules.shared,
    static: modules.static,
    loadAllModules: loadAll !== 'no',
    port: choosePort(last('package', 'port'), '--with-port', 80),
    sslPort: choosePort(last('package', 'sslport'), '--with-sslport', 443),
    variables,
  }
}

function processModelsOf(words: readonly ConfigureWord[]): ProcessModels {
  return { model: lastValue(words, 'package', 'mpm'), shared: lastValue(words, 'feature', 'mpms_shared') }
}

function lastValue(words: readonly ConfigureWord[], kind: 'feature' | 'package', name: string): string | undefined {
  const found = words.findLast((word) => word.kind === kind && word.name === name)
  return found !== undefined && 'value' in found ? found.value : undefined
}

/** By name, or as FILE:NAME. @throws ConfigureError if there is none */
function findLayout(id: string, readFile: ConfigureRequest['readFile']): LayoutTemplate {
  const known = LAYOUTS.get(id)
  if (known !== undefined) return known
  const [, file, name] = /^(.*):([^:]*)$/s.exec(id) ?? []
  if (file === undefined || name === undefined)
    throw new ConfigureError(`Unable to find layout ${id}`, `there are ${[...LAYOUTS.keys()].join(', ')}, and FILE:NAME`)
  return readLayoutFile(readFile(file), name, file)
}

function describe(
  words: readonly ConfigureWord[],
  modules: ModuleSelection,
  leftOut: readonly string[],
  status: ConfigStatus,
  { available, recorded }: ConfigureRequest,
): ConfigureReport {
  const line = recorded === undefined ? undefined : (recorded.line ?? recognizeLine(parseWords(recorded.nice.words)) ?? null)
  const names = [...HTTPD_MODULES.keys(), ...available]
  const of2_2 = line === '2.2' ? changedDefaults(words) : []
  const explained = of2_2.map(({ topic }) => topic)
  return {
    layout: status.layout,
    movable: isMovable(status.folders),
    folders: status.folders,
    port: status.port,
    processModel: { asked: lastValue(words, 'package', 'mpm') ?? null, used: 'event' },
    shared: status.shared.map((name) => ({ name, loaded: status.loadAllModules || isLoadedByDefault(name) })),
    static: status.static,
    leftOut,
    notNeeded: modules.notNeeded,
    withoutMeaning: [...new Set(words.filter((word) => meaningOf(word, available) === 'none here').map(({ text }) => text))],
    unknown: [
      ...words.flatMap((word) =>
        'value' in word && meaningOf(word, available) === 'unknown' && !explained.includes(`mod_${word.name}`)
          ? [{ text: word.text, hint: nearestOption(word, names) ?? null }]
          : [],
      ),
      ...modules.unknown.filter((name) => !explained.includes(`mod_${name}`)).map((name) => ({ text: name, hint: null })),
    ],
    ...(line === undefined ? {} : { recordedBy: line }),
    changedDefaults: of2_2,
  }
}
