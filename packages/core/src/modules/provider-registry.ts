import type {
  AuthnProvider,
  AuthzProvider,
  OptionalFunction,
  OptionalFunctions,
  OutputFilter,
  ProviderGroup,
  Providers,
} from '@gatewright/api'

/** A provider or optional function that another module has registered under the same name. */
export class NameTaken extends Error {}

/** One group of providers. */
class Group<P> implements ProviderGroup<P> {
  private readonly title: string
  private readonly providers = new Map<string, P>()
  private decoration: ((provider: P) => P) | null = null

  constructor(title: string) {
    this.title = title
  }

  add(name: string, provider: P, options: { readonly replace?: boolean } = {}): void {
    if (this.providers.has(name) && options.replace !== true)
      throw new NameTaken(`the ${this.title} provider ${name} is registered already`)
    this.providers.set(name, this.decoration === null ? provider : this.decoration(provider))
  }

  /** Every provider that is added from now on is replaced by what `decoration` makes of it. */
  decorate(decoration: (provider: P) => P): void {
    this.decoration = decoration
  }

  get(name: string): P | undefined {
    return this.providers.get(name)
  }

  names(): readonly string[] {
    return [...this.providers.keys()]
  }
}

/** Filters, whose names are compared without regard to case. */
class FilterGroup extends Group<OutputFilter> {
  override add(name: string, filter: OutputFilter, options: { readonly replace?: boolean } = {}): void {
    super.add(name.toLowerCase(), filter, options)
  }

  override get(name: string): OutputFilter | undefined {
    return super.get(name.toLowerCase())
  }
}

/** The providers of one generation. */
export class ProviderRegistry implements Providers {
  readonly authz: ProviderGroup<AuthzProvider> = new Group('authz')
  readonly authn: Group<AuthnProvider> = new Group('authn')
  readonly outputFilters: ProviderGroup<OutputFilter> = new FilterGroup('output filter')
}

/** The optional functions of one generation, by name. */
export class FunctionRegistry implements OptionalFunctions {
  private readonly functions = new Map<string, (...args: never[]) => unknown>()

  offer<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): void {
    if (this.functions.has(key.name)) throw new NameTaken(`the optional function ${key.name} is offered already`)
    this.functions.set(key.name, fn)
  }

  get<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined {
    // The key is the only way to offer and to find a function, and it carries the function's type.
    return this.functions.get(key.name) as F | undefined
  }
}
