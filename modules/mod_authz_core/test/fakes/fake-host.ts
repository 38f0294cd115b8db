import {
  type AnyModule,
  type AuthnProvider,
  type AuthzProvider,
  type Command,
  type CommandError,
  type ConfigServices,
  DECLINED,
  type DirectoryConfig,
  type HookFunction,
  type HookName,
  type HookRank,
  type Hooks,
  type HostServices,
  type InputFilter,
  isCommandError,
  type MaybePromise,
  MethodSet,
  type ModuleHost,
  OK,
  type OptionalFunctions,
  type Outcome,
  type OutputFilter,
  type Overlay,
  type Problem,
  type ProviderGroup,
  type Request,
  type SectionInfo,
  type SectionKind,
  type Server,
  type Slot,
  type StartContext,
} from '@gatewright/api'
import { applyDirective } from './apply-directive.ts'
import { type ConfigLine, parseLines, splitWords } from './config-text.ts'
import { FakeLogs } from './fake-log.ts'
import { fakeRequest, fakeServer, methodNumber, type RequestFacts } from './fake-request.ts'
import { fakeConfigServices, fakeHostServices } from './fake-services.ts'

const RANKS: readonly HookRank[] = ['really-first', 'first', 'middle', 'last', 'really-last']

/** Kinds of section in the order of their walks; the others come first. */
const WALKS: readonly SectionKind[] = ['Directory', 'DirectoryMatch', 'Files', 'Location', 'LocationMatch', 'If', 'overlay']

/** A section with the configuration objects of its directives, by module number. */
export interface FakeSection extends SectionInfo, Overlay {
  readonly slots: unknown[]
}

export interface FakeHostOptions {
  readonly services?: HostServices
  readonly configServices?: Omit<ConfigServices, 'providers'>
}

/**
 * The part of a host that access control modules use: hooks by rank, providers, functions, configuration
 * bound from text, sections merged in the order in which they are written, and the phases of authorization.
 */
export class FakeHost {
  readonly logs: FakeLogs = new FakeLogs()
  readonly reports: string[] = []
  readonly authz: FakeProviders<AuthzProvider> = new FakeProviders()
  readonly authn: FakeProviders<AuthnProvider> = new FakeProviders()
  readonly outputFilters: FakeProviders<OutputFilter> = new FakeProviders()
  readonly inputFilters: FakeProviders<InputFilter> = new FakeProviders()
  readonly functions: OptionalFunctions = new FakeFunctions()
  readonly server: Server = { ...fakeServer, moduleConfig: [] }
  readonly sections: FakeSection[] = []
  readonly #modules: readonly AnyModule[]
  readonly #configServices: ConfigServices
  readonly #hooks = new Map<HookName, { readonly fn: unknown; readonly rank: number }[]>()
  readonly #defaults: FakeSection

  constructor(modules: readonly AnyModule[], options: FakeHostOptions = {}) {
    this.#modules = modules
    this.#configServices = {
      ...(options.configServices ?? fakeConfigServices),
      providers: { authz: this.authz, authn: this.authn, outputFilters: this.outputFilters, inputFilters: this.inputFilters },
    }
    this.#defaults = this.#newSection('server', '', '', 0, null)
    const services = options.services ?? fakeHostServices()
    modules.forEach((module, index) => {
      this.#defaults.slots[index] = module.perDirectory?.create(this.#defaults)
      this.#serverConfigs[index] = module.perServer?.create()
      const host: ModuleHost<never, never> = {
        hooks: this.#hooksFor(),
        providers: { authz: this.authz, authn: this.authn, outputFilters: this.outputFilters, inputFilters: this.inputFilters },
        functions: this.functions,
        optionalHooks: { add: () => undefined, of: () => [] },
        services,
        log: this.logs.of(module.name.replace('_module', '')),
        // Slot `index` holds what this module's own functions created.
        configOf: (request) => request.config.slots[index] as never,
        serverConfigOf: () => this.#serverConfigs[index] as never,
        configIn: () => undefined,
        placedConfigs: () =>
          this.sections.flatMap((section) =>
            section.slots[index] === undefined ? [] : [{ config: section.slots[index] as never, section }],
          ),
        requestSlot: fakeSlot,
        connectionSlot: fakeSlot,
        onEnd: () => undefined,
      }
      module.register?.(host)
    })
    this.#runVoid('preConfig')
  }

  readonly #serverConfigs: unknown[] = []

  /** Binds a configuration text and checks it. @returns the text of the first error */
  configure(text: string): string | undefined {
    const error = this.#bind(parseLines(text), this.#defaults, MethodSet.ALL, false, null)
    if (error !== undefined) return `${error.line}: ${error.message}`
    for (const fn of this.functionsOf('checkConfig')) {
      const failure = fn(this.#startContext())
      if (typeof failure === 'string') return failure
      if (typeof failure === 'object' && 'message' in failure) return `${failure.code}: ${failure.message}`
    }
    return undefined
  }

  /** Binds a .htaccess file. */
  htaccess(path: string, text: string): FakeSection | string {
    const section = this.#newSection('.htaccess', path, path, 0, null)
    const error = this.#bind(parseLines(text), section, MethodSet.ALL, true, null)
    return error === undefined ? section : error.message
  }

  testConfig(defined: readonly string[] = []): void {
    for (const fn of this.functionsOf('testConfig')) fn({ ...this.#startContext(), defined: (name) => defined.includes(name) })
  }

  /**
   * A request to which the sections apply in this order; by default all sections of the configuration. The
   * sections of an inner list belong to one walk (locations, files): they are merged with each other before
   * they are merged over the rest.
   */
  request(facts: RequestFacts = {}, sections: readonly (FakeSection | readonly FakeSection[])[] = this.sections): Request {
    let config: DirectoryConfig = { slots: this.#defaults.slots, sections: [] }
    for (const entry of sections) {
      const walk = 'slots' in entry ? [entry] : entry
      let merged: DirectoryConfig = { slots: [], sections: [] }
      for (const section of walk) merged = this.#merge(merged, section)
      config = this.#merge(config, { ...this.#defaults, slots: [...merged.slots] })
    }
    const host = this
    return Object.defineProperty(
      fakeRequest({
        ...facts,
        server: this.server,
        withOverlay(overlay, check) {
          const outer = config
          config = host.#merge(outer, overlay as FakeSection)
          const result = check()
          if (!(result instanceof Promise)) config = outer
          return result instanceof Promise ? result.finally(() => (config = outer)) : result
        },
      }),
      'config',
      { get: () => config },
    )
  }

  section(argument: string): FakeSection {
    const found = this.sections.find((section) => section.argument === argument)
    if (found === undefined) throw new Error(`no section ${argument}`)
    return found
  }

  functionsOf<K extends HookName>(name: K): HookFunction<K>[] {
    const entries = [...(this.#hooks.get(name) ?? [])].sort((a, b) => a.rank - b.rank)
    return entries.map(({ fn }) => fn as HookFunction<K>)
  }

  /** Runs a run-first hook. */
  async runFirst(name: 'accessCheckerEx' | 'checkUserId' | 'authChecker' | 'fixups', request: Request): Promise<Outcome> {
    for (const fn of this.functionsOf(name)) {
      const outcome: MaybePromise<Outcome> = fn(request)
      const settled = await outcome
      if (settled !== DECLINED) return settled
    }
    return DECLINED
  }

  #merge(base: DirectoryConfig, section: FakeSection): DirectoryConfig {
    return {
      sections: [...base.sections, section],
      slots: this.#modules.map(({ perDirectory }, index) => {
        const over = section.slots[index]
        if (over === undefined) return base.slots[index]
        if (perDirectory?.merge === undefined) return over
        const under = base.slots[index]
        return under === undefined ? over : perDirectory.merge(under as never, over as never)
      }),
    }
  }

  #bind(
    lines: readonly ConfigLine[],
    section: FakeSection,
    limited: MethodSet,
    inHtaccess: boolean,
    container: string | null,
  ): CommandError | undefined {
    for (const line of lines) {
      const error = this.#bindLine(line, section, limited, inHtaccess, container)
      if (error === undefined) continue
      if (typeof error === 'object' && isCommandError(error)) return error
      return { message: typeof error === 'string' ? error : error.message, file: 'httpd.conf', line: line.line }
    }
    return undefined
  }

  #bindLine(
    line: ConfigLine,
    section: FakeSection,
    limited: MethodSet,
    inHtaccess: boolean,
    container: string | null,
  ): string | Problem | CommandError | undefined {
    const place = /^<(Directory|DirectoryMatch|Location|LocationMatch|Files|If)$/.exec(line.name)?.[1] as SectionKind | undefined
    if (place !== undefined) {
      const argument = splitWords(line.text.replace(/>$/, ''))[0] ?? ''
      const inner = this.#newSection(place, `${line.name} "${argument}">`, argument, line.line, section)
      this.sections.push(inner)
      return this.#bind(line.children, inner, limited, inHtaccess, place)
    }
    if (line.name === '<Limit' || line.name === '<LimitExcept') {
      let methods = MethodSet.of(...splitWords(line.text.replace(/>$/, '')).map((name) => methodNumber(name) ?? 26))
      if (line.name === '<LimitExcept') methods = methods.complement()
      return this.#bind(line.children, section, limited.intersection(methods), inHtaccess, line.name.slice(1))
    }
    for (const [index, module] of this.#modules.entries()) {
      const entry = Object.entries(module.directives ?? {}).find(([key]) => key.toLowerCase() === line.name.toLowerCase())
      if (entry === undefined) continue
      const [name, spec] = entry
      const command = this.#command(line, name, section, limited, inHtaccess, container)
      const config =
        spec.scope === 'directory' ? (section.slots[index] ??= module.perDirectory?.create(section)) : this.#serverConfigs[index]
      return applyDirective(spec, spec.declaredAs ?? name, config as never, line.text, command) ?? undefined
    }
    return `Invalid command '${line.name}'`
  }

  #command(
    line: ConfigLine,
    name: string,
    section: FakeSection,
    limited: MethodSet,
    inHtaccess: boolean,
    container: string | null,
  ): Command {
    const walk = (into: FakeSection): CommandError | undefined => {
      const stranger = line.children.find(({ name }) => /^(Options|DocumentRoot)$/.test(name))
      if (stranger !== undefined) {
        return { message: `${stranger.name} not allowed in ${name}> context`, file: 'httpd.conf', line: stranger.line }
      }
      return this.#bind(line.children, into, limited, inHtaccess, name.slice(1))
    }
    return {
      name,
      typedName: line.name,
      text: line.text,
      file: 'httpd.conf',
      line: line.line,
      server: this.server,
      section,
      container,
      inHtaccess,
      limited,
      services: this.#configServices,
      words: splitWords,
      serverRelative: (path) => (path.startsWith('/') ? path : `/root/${path}`),
      report: (level, code, text) => void this.reports.push(`${level} ${code}: ${text}`),
      insertLines: () => undefined,
      walk: () => walk(section),
      walkThen: (_override, act) => walk(section) ?? act(),
      walkOverlay() {
        const overlay = { ...section, kind: 'overlay' as const, slots: [] as unknown[], section }
        return walk(overlay) ?? overlay
      },
      sectionArgument: (text) =>
        text.endsWith('>') ? { argument: text.slice(0, -1) } : { error: `${name}> directive missing closing '>'` },
    }
  }

  #newSection(kind: SectionKind, title: string, argument: string, line: number, parent: FakeSection | null): FakeSection {
    const section: FakeSection = {
      kind,
      title,
      argument,
      file: 'httpd.conf',
      line,
      parent,
      server: this.server,
      rank: [WALKS.indexOf(kind), kind === 'Directory' ? argument.split('/').filter(Boolean).length : 0, this.sections.length],
      slots: [],
      get section() {
        return section
      },
    }
    return section
  }

  #hooksFor(): Hooks {
    return new Proxy({} as Hooks, {
      get: (_target, name: HookName) => ({
        add: (fn: unknown, order?: { readonly rank?: HookRank }) => {
          const list = this.#hooks.get(name) ?? []
          list.push({ fn, rank: RANKS.indexOf(order?.rank ?? 'middle') })
          this.#hooks.set(name, list)
        },
      }),
    })
  }

  #runVoid(name: 'preConfig'): void {
    for (const fn of this.functionsOf(name)) fn(this.#startContext())
  }

  #startContext(): StartContext {
    return {
      servers: [this.server],
      checkOnly: true,
      serverRelative: (path) => `/srv/${path}`,
      typesConfig: '/srv/conf/mime.types',
      defined: () => false,
      print: () => {},
    }
  }
}

/**
 * Status of the authorization phases (the host applies the rules of Satisfy): 200 if the request is granted.
 */
export async function authorize(host: FakeHost, request: Request, satisfy: 'all' | 'any' | 'unset' = 'unset'): Promise<number> {
  const passed = 200
  let access: Outcome = OK
  for (const fn of host.functionsOf('accessChecker')) {
    const outcome: Outcome = await fn(request)
    if (outcome !== OK && outcome !== DECLINED) access = outcome
  }
  if (satisfy === 'any' ? access === OK : false) return passed
  if (satisfy !== 'any' && access !== OK) return access
  const early = await host.runFirst('accessCheckerEx', request)
  if (early === OK) return passed
  if (early !== DECLINED) return early
  const user = await host.runFirst('checkUserId', request)
  if (user !== OK) return user === DECLINED ? 500 : user
  if (request.user === null) return 500
  const late = await host.runFirst('authChecker', request)
  return late === OK ? passed : late === DECLINED ? 500 : late
}

class FakeProviders<P> implements ProviderGroup<P> {
  readonly #byName = new Map<string, P>()

  add(name: string, provider: P, options?: { readonly replace?: boolean }): void {
    if (this.#byName.has(name) && options?.replace !== true) throw new Error(`provider ${name} exists`)
    this.#byName.set(name, provider)
  }

  get(name: string): P | undefined {
    return this.#byName.get(name)
  }

  names(): readonly string[] {
    return [...this.#byName.keys()]
  }
}

class FakeFunctions implements OptionalFunctions {
  readonly #byName = new Map<string, unknown>()

  offer(key: { readonly name: string }, fn: unknown): void {
    if (this.#byName.has(key.name)) throw new Error(`function ${key.name} exists`)
    this.#byName.set(key.name, fn)
  }

  get<F extends (...args: never[]) => unknown>(key: { readonly name: string; readonly type?: F }): F | undefined {
    return this.#byName.get(key.name) as F | undefined
  }
}

function fakeSlot<O extends object, T>(): Slot<O, T> {
  const values = new WeakMap<O, T>()
  return { get: (owner) => values.get(owner), set: (owner, value) => void values.set(owner, value) }
}
