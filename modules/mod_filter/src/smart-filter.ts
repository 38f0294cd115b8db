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

/** A filter and the condition under which it is used. */
export interface FilterProvider {
  /** As written. */
  readonly name: string
  readonly filter: OutputFilter
  /** @throws ExpressionError */
  applies(request: Request): boolean
}

/**
 * A filter that chooses a provider for each response: of those whose conditions hold, the one added last is
 * used.
 */
export class SmartFilter {
  readonly #providers: FilterProvider[] = []
  readonly #name: string
  #declaredRank: number | undefined
  #adapter: OutputFilter | null = null

  /** @param declaredRank position among other filters; undefined for the position of its first provider */
  constructor(name: string, declaredRank?: number) {
    this.#name = name
    this.#declaredRank = declaredRank
  }

  /** Declares the filter again. */
  declare(rank: number): void {
    this.#declaredRank = rank
  }

  add(provider: FilterProvider): void {
    this.#providers.unshift(provider)
  }

  hasProvider(name: string): boolean {
    return this.#providers.some((provider) => provider.name === name)
  }

  /** The filter in the form that the server requires. @param log of the module */
  bound(log: ModuleLog): OutputFilter {
    this.#adapter ??= {
      name: this.#name,
      rank: this.#declaredRank ?? this.#providers.at(-1)?.filter.rank ?? FILTER_RANK.resource,
      prepare: (request) => {
        for (const { filter } of this.#providers) filter.prepare?.(request)
      },
      filter: (request, body) => this.#dispatch(request, body, log),
    }
    return this.#adapter
  }

  #dispatch(request: Request, body: FilteredBody, log: ModuleLog): MaybePromise<FilteredBody | Outcome> {
    // As in httpd: what a script or a backend sends with another status is left as it is.
    if (request.status !== 200) return body
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
