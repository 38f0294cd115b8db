import type {
  AuthnProvider,
  AuthzProvider,
  CacheProvider,
  ConnectionLayer,
  DatabaseDriver,
  DecisionBasis,
  ExpressionNames,
  InputFilter,
  LintRule,
  OutputFilter,
  Protocol,
  ProviderGroup,
  ProviderGroupKey,
  Providers,
  ProxyBalancerMethod,
  ProxyScheme,
  ProxyWorkerParameter,
  ServerCommand,
} from '@gatewright/api'
import type { LoadedModule } from './registry.ts'

/** A provider or optional function that another module has registered under the same name. */
export class NameTaken extends Error {
  /** The solution. */
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** The providers of one group by name, with the modules that added them. */
class Group<P> {
  readonly #title: string
  readonly #keyOf: (name: string) => string
  readonly #providers = new Map<string, { readonly provider: P; readonly owner: string }>()
  #decoration: ((provider: P) => P) | null = null
  #late: ((message: string) => void) | null = null

  /** @param keyOf the significant form of a name */
  constructor(title: string, keyOf: (name: string) => string = same) {
    this.#title = title
    this.#keyOf = keyOf
  }

  /**
   * The group's interface for a module that adds providers.
   * @param owner the module's name for messages
   */
  bind(owner: string): ProviderGroup<P> {
    return {
      add: (name, provider, options) => {
        if (this.#late !== null) {
          const message = `${owner} added the ${this.#title} provider ${name} after the configuration was bound`
          this.#late(message)
          throw new Error(`${message}: no directive can refer to it`)
        }
        this.#add(owner, name, provider, options)
      },
      get: this.get,
      names: this.names,
      ownerOf: this.ownerOf,
    }
  }

  /** For directives that add providers, in files that may be read later too. */
  bindAnyTime(owner: string): ProviderGroup<P> {
    const add: ProviderGroup<P>['add'] = (name, provider, options) => this.#add(owner, name, provider, options)
    return { add, get: this.get, names: this.names, ownerOf: this.ownerOf }
  }

  /**
   * From now on, modules can no longer register providers.
   * @param late is called for each late provider, before the caller gets an error
   */
  close(late: (message: string) => void): void {
    this.#late = late
  }

  /** Every provider that is added from now on is replaced by the result of `decoration`. */
  decorate(decoration: (provider: P) => P): void {
    this.#decoration = decoration
  }

  readonly get = (name: string): P | undefined => this.#providers.get(this.#keyOf(name))?.provider

  readonly names = (): readonly string[] => [...this.#providers.keys()]

  readonly ownerOf = (name: string): string | undefined => this.#providers.get(this.#keyOf(name))?.owner

  /** The modules that added providers of a kind. */
  ownersOf(isMeant: (provider: P) => boolean): string[] {
    return [...this.#providers.values()].filter(({ provider }) => isMeant(provider)).map(({ owner }) => owner)
  }

  #add(owner: string, name: string, provider: P, { replace = false }: { readonly replace?: boolean } = {}): void {
    const key = this.#keyOf(name)
    const known = this.#providers.get(key)
    if (known !== undefined && !replace) {
      throw new NameTaken(
        `the ${this.#title} provider ${name} of ${owner} is already registered by ${known.owner}`,
        `load only one of the two modules; a module that replaces the provider of another must pass { replace: true }`,
      )
    }
    this.#providers.set(key, { provider: this.#decoration === null ? provider : this.#decoration(provider), owner })
  }
}

const mayDependOnRequest = ({ decidesBy }: { readonly decidesBy?: DecisionBasis }): boolean => decidesBy !== 'configuration'

const same = (name: string): string => name
const lowerCase = (name: string): string => name.toLowerCase()

/** The providers of one configuration. */
export class ProviderRegistry {
  readonly authz: Group<AuthzProvider> = new Group('authz')
  readonly authn: Group<AuthnProvider> = new Group('authn')
  readonly outputFilters: Group<OutputFilter> = new Group('output filter', lowerCase)
  readonly inputFilters: Group<InputFilter> = new Group('input filter', lowerCase)
  readonly expressionNames: Group<ExpressionNames> = new Group('expression names')
  readonly connectionLayers: Group<ConnectionLayer> = new Group('connection layer')
  readonly protocols: Group<Protocol> = new Group('protocol')
  readonly caches: Group<CacheProvider> = new Group('cache')
  readonly lintRules: Group<LintRule> = new Group('lint rule')
  readonly proxySchemes: Group<ProxyScheme> = new Group('proxy scheme')
  readonly proxyBalancerMethods: Group<ProxyBalancerMethod> = new Group('balancer method', lowerCase)
  readonly proxyWorkerParameters: Group<ProxyWorkerParameter> = new Group('worker parameter', lowerCase)
  readonly databaseDrivers: Group<DatabaseDriver> = new Group('database driver')
  readonly serverCommands: Group<ServerCommand> = new Group('server command')

  /** The modules whose providers of users or of forms of Require may decide by request. */
  decidingByRequest(): readonly string[] {
    return [...this.authn.ownersOf(mayDependOnRequest), ...this.authz.ownersOf(mayDependOnRequest)]
  }

  readonly #ofModules = new Map<string, Group<unknown>>()
  #late: ((message: string) => void) | null = null

  /** The groups that modules define for each other, by name and version. */
  get ofModules(): readonly { readonly group: string; readonly names: readonly string[] }[] {
    return [...this.#ofModules].map(([group, { names }]) => ({ group, names: names() })).filter(({ names }) => names.length > 0)
  }

  forModule({ module: { source } }: LoadedModule): Providers {
    return this.#bound((group) => group.bind(source))
  }

  /** For directives that add a provider. */
  forConfiguration(): Providers {
    return this.#bound((group) => group.bindAnyTime('the configuration'))
  }

  /** The configuration is bound: modules can no longer register providers. */
  close(late: (message: string) => void): void {
    this.#late = late
    this.#bound((group) => {
      group.close(late)
      return group.bindAnyTime('')
    })
    for (const group of this.#ofModules.values()) group.close(late)
  }

  #bound(bind: <P>(group: Group<P>) => ProviderGroup<P>): Providers {
    return {
      authz: bind(this.authz),
      authn: bind(this.authn),
      outputFilters: bind(this.outputFilters),
      inputFilters: bind(this.inputFilters),
      expressionNames: bind(this.expressionNames),
      connectionLayers: bind(this.connectionLayers),
      protocols: bind(this.protocols),
      caches: bind(this.caches),
      lintRules: bind(this.lintRules),
      proxySchemes: bind(this.proxySchemes),
      proxyBalancerMethods: bind(this.proxyBalancerMethods),
      proxyWorkerParameters: bind(this.proxyWorkerParameters),
      databaseDrivers: bind(this.databaseDrivers),
      serverCommands: bind(this.serverCommands),
      of: <P>(key: ProviderGroupKey<P>) => bind(this.#groupOf(key)),
    }
  }

  #groupOf<P>({ name, version }: ProviderGroupKey<P>): Group<P> {
    const id = `${name} ${version}`
    let group = this.#ofModules.get(id)
    if (group === undefined) {
      group = new Group<unknown>(id)
      if (this.#late !== null) group.close(this.#late)
      this.#ofModules.set(id, group)
    }
    // Providers are added and found only by the key, which carries their type.
    return group as Group<P>
  }
}
