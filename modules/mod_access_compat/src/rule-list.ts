import { type MaybePromise, type MethodSet, type Request, whenSettled } from '@gatewright/api'
import { coversName } from '@gatewright/api/text'
import type { HostWordResult } from '@gatewright/api/tracing'
import { compileNetworks, type Network, type NetworkSet } from '@gatewright/ipset'

/** The meaning of one word after `from`. */
export type HostWord =
  | { readonly kind: 'all' }
  | { readonly kind: 'env'; readonly name: string; readonly wanted: boolean }
  | { readonly kind: 'network'; readonly network: Network }
  | { readonly kind: 'name'; readonly name: string }

/** A word as written, and its position. */
export interface WordPlace {
  readonly word: string
  readonly file: string
  readonly line: number
}

/** The properties of a client that lists compare. */
export interface ClientView {
  inNetworks(request: Request, networks: NetworkSet): boolean
  /** The client's name by double reverse lookup, in lower case, or null. */
  nameOf(request: Request): MaybePromise<string | null>
}

/**
 * Consecutive words of the same kind for the same methods, so that any number of networks takes one look-up.
 */
interface Run {
  readonly kind: HostWord['kind']
  readonly methods: MethodSet
  /** One for each word. The list for `kind` contains the parsed words, in the same order. */
  readonly places: WordPlace[]
  readonly variables: { readonly name: string; readonly wanted: boolean }[]
  readonly networks: Network[]
  readonly names: string[]
  /** Compiled when the server starts; for a .htaccess file, on the first request. */
  networkSet: NetworkSet | null
}

/**
 * The Allow or the Deny lines of a section. They are evaluated in file order up to the first match, because
 * the access log shows whether a name was looked up.
 */
export class RuleList {
  readonly #runs: Run[] = []

  add(word: HostWord, methods: MethodSet, place: WordPlace): void {
    const run = this.#runFor(word.kind, methods)
    run.places.push(place)
    if (word.kind === 'env') run.variables.push(word)
    else if (word.kind === 'name') run.names.push(word.name)
    else if (word.kind === 'network') {
      run.networks.push(word.network)
      run.networkSet = null
    }
  }

  /** Compiles long lists now rather than on the first request. */
  prepare(): void {
    for (const run of this.#runs) if (run.kind === 'network') run.networkSet ??= compileNetworks(run.networks)
  }

  /** Whether a word matches. Asynchronous only if the client's name is looked up. */
  matches(request: Request, client: ClientView): MaybePromise<boolean> {
    return this.#matchesFrom(0, request, client)
  }

  /**
   * The result of each word for the request's method. Asynchronous only if the client's name is looked up.
   */
  results(list: HostWordResult['list'], request: Request, client: ClientView): MaybePromise<HostWordResult>[] {
    const results: MaybePromise<HostWordResult>[] = []
    for (const run of this.#runs) {
      if (!run.methods.has(request.methodNumber)) continue
      for (const [index, place] of run.places.entries()) {
        const matches = matchesRun(single(run, index), request, client)
        results.push(
          typeof matches === 'boolean'
            ? { list, ...place, matches }
            : matches.then((late) => ({ list, ...place, matches: late })),
        )
      }
    }
    return results
  }

  #matchesFrom(first: number, request: Request, client: ClientView): MaybePromise<boolean> {
    for (let index = first; index < this.#runs.length; index++) {
      const run = this.#runs[index]
      if (!run.methods.has(request.methodNumber)) continue
      const matched = matchesRun(run, request, client)
      if (typeof matched !== 'boolean') return this.#resume(matched, index + 1, request, client)
      if (matched) return true
    }
    return false
  }

  async #resume(pending: Promise<boolean>, next: number, request: Request, client: ClientView): Promise<boolean> {
    return (await pending) || this.#matchesFrom(next, request, client)
  }

  #runFor(kind: HostWord['kind'], methods: MethodSet): Run {
    const last = this.#runs.at(-1)
    if (last !== undefined && last.kind === kind && last.methods.equals(methods)) return last
    const run: Run = { kind, methods, places: [], variables: [], networks: [], names: [], networkSet: null }
    this.#runs.push(run)
    return run
  }
}

/** A run with only one of the words. */
function single({ kind, methods, places, variables, networks, names }: Run, index: number): Run {
  const only = <T>(list: readonly T[]): T[] => list.slice(index, index + 1)
  return {
    kind,
    methods,
    places: only(places),
    variables: only(variables),
    networks: only(networks),
    names: only(names),
    networkSet: null,
  }
}

function matchesRun(run: Run, request: Request, client: ClientView): MaybePromise<boolean> {
  switch (run.kind) {
    case 'all':
      return true
    case 'env':
      return matchesVariable(run, request)
    case 'network':
      run.networkSet ??= compileNetworks(run.networks)
      return client.inNetworks(request, run.networkSet)
    case 'name': {
      const name = client.nameOf(request)
      return whenSettled(name, (found) => matchesName(run, found))
    }
  }
}

function matchesVariable({ variables }: Run, request: Request): boolean {
  for (let index = 0; index < variables.length; index++) {
    if (request.env.has(variables[index].name) === variables[index].wanted) return true
  }
  return false
}

function matchesName({ names }: Run, name: string | null): boolean {
  return name !== null && names.some((word) => coversName(word, name))
}
