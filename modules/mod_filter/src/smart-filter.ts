import {
  FILTER_RANK,
  type FilteredBody,
  isExpressionError,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type OutputFilter,
  type Request,
} from '@gatewright/api'

/** A filter that does the work, and when. */
export interface FilterProvider {
  /** As it is written. */
  readonly name: string
  readonly filter: OutputFilter
  /** @throws ExpressionError */
  applies(request: Request): boolean
}

/** A filter that is decided on for each response: of its providers that apply, the one added last does the work. */
export class SmartFilter {
  readonly #providers: FilterProvider[] = []
  readonly #name: string
  #declaredRank: number | undefined
  #adapter: OutputFilter | null = null

  /** @param declaredRank where it stands; undefined: where its first provider does */
  constructor(name: string, declaredRank?: number) {
    this.#name = name
    this.#declaredRank = declaredRank
  }

  /** Declares it once more. */
  declare(rank: number): void {
    this.#declaredRank = rank
  }

  add(provider: FilterProvider): void {
    this.#providers.unshift(provider)
  }

  hasProvider(name: string): boolean {
    return this.#providers.some((provider) => provider.name === name)
  }

  /** As the server takes it. @param log of the module that it belongs to */
  bound(log: ModuleLog): OutputFilter {
    this.#adapter ??= {
      name: this.#name,
      rank: this.#declaredRank ?? this.#providers.at(-1)?.filter.rank ?? FILTER_RANK.resource,
      filter: (request, body) => this.#dispatch(request, body, log),
    }
    return this.#adapter
  }

  #dispatch(request: Request, body: FilteredBody, log: ModuleLog): MaybePromise<FilteredBody | Outcome> {
    for (const provider of this.#providers) {
      try {
        if (!provider.applies(request)) continue
      } catch (error) {
        if (!isExpressionError(error)) throw error
        log.write(request, 'warn', 'AH01377', `Error evaluating filter dispatch condition: ${error.message}`)
        continue
      }
      return provider.filter.filter(request, body)
    }
    return body
  }
}
