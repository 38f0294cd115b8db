import {
  HOOK_RULES,
  type Hook,
  type HookFunction,
  type HookName,
  type HookOrder,
  type HookRank,
  type Hooks,
} from '@gatewright/api'
import { CORE_INDEX, type LoadedModule } from './registry.ts'

const RANKS: Readonly<Record<HookRank, number>> = { 'really-first': -10, first: 0, middle: 10, last: 20, 'really-last': 30 }

interface Entry<F> {
  readonly fn: F
  readonly owner: LoadedModule
  readonly order: HookOrder
}

/** The functions of one hook in the order in which they run, with their modules. */
export interface SortedHook<F> {
  readonly functions: readonly F[]
  readonly owners: readonly LoadedModule[]
}

/** A cycle of `before` and `after` lists: httpd hangs on one; here it is an error that names it. */
export class HookCycle extends Error {}

/** The functions that modules add to one hook; sorted once the configuration has been read. */
export class HookList<F> {
  /** A hook of the host or of a module. */
  readonly name: string
  readonly #entries: Entry<F>[] = []
  #late: ((message: string) => void) | null = null

  constructor(name: string) {
    this.name = name
  }

  /** The hook's interface for one module. */
  bind(owner: LoadedModule): Hook<F> {
    return {
      add: (...given) => {
        const order = checkedOrder(this.name, owner, given)
        if (this.#late !== null && owner.index !== CORE_INDEX) {
          const message = `${owner.module.source} added a function to hook ${this.name} after the hooks were sorted`
          this.#late(message)
          throw new Error(`${message}: the server would never call it`)
        }
        this.#entries.push({ fn: given[0], owner, order })
      },
    }
  }

  /**
   * From now on, modules can no longer register functions.
   * @param late is called for each late function, before the caller gets an error
   */
  close(late: (message: string) => void): void {
    this.#late = late
  }

  /**
   * The modules with functions in this hook, with the number of their rank, in the order in which they run.
   * @throws HookCycle
   */
  entriesInOrder(): readonly { readonly source: string; readonly rank: number }[] {
    return sortEntries(this.name, this.#entries).map(({ owner, order }) => ({
      source: owner.module.source,
      rank: RANKS[order.rank ?? 'middle'],
    }))
  }

  /** Source names in the `before` and `after` lists, with the module whose function has the list. */
  demands(): readonly { readonly of: string; readonly source: string }[] {
    return this.#entries.flatMap(({ owner, order: { before = [], after = [] } }) =>
      [...before, ...after].map((source) => ({ of: owner.module.source, source })),
    )
  }

  /** The registered functions and their modules, in the order of registration. */
  registrations(): readonly { readonly owner: LoadedModule; readonly order: HookOrder }[] {
    return this.#entries
  }

  /** @throws HookCycle */
  sorted(): SortedHook<F> {
    const list = sortEntries(this.name, this.#entries)
    return { functions: list.map(({ fn }) => fn), owners: list.map(({ owner }) => owner) }
  }
}

/** All hooks of one configuration. */
export class HookRegistry {
  readonly lists: HookLists = tabulate<HookLists>((name) => new HookList(name))

  /**
   * Source names of modules with an access function that does not declare that it decides by the
   * configuration.
   */
  decidingByRequest(): readonly string[] {
    const { accessChecker, accessCheckerEx, checkUserId, authChecker } = this.lists
    return [accessChecker, accessCheckerEx, checkUserId, authChecker].flatMap((list) =>
      list
        .registrations()
        .filter(({ order }) => order.decidesBy !== 'configuration')
        .map(({ owner }) => owner.module.source),
    )
  }

  /** All hooks are sorted: modules can no longer register functions. */
  close(late: (message: string) => void): void {
    for (const list of Object.values(this.lists)) list.close(late)
  }

  forModule(owner: LoadedModule): Hooks {
    return tabulate<Hooks>((name) => this.lists[name].bind(owner))
  }
}

type HookLists = { readonly [K in HookName]: HookList<HookFunction<K>> }

const HOOK_NAMES = Object.keys(HOOK_RULES) as HookName[]

/**
 * Makes a table with an entry for every hook of HOOK_RULES, where hooks are declared. The type of an entry
 * follows from its name. The compiler cannot check that in a loop, so `make` must ensure it.
 */
function tabulate<T extends { readonly [K in HookName]: unknown }>(make: (name: HookName) => unknown): T {
  return Object.fromEntries(HOOK_NAMES.map((name) => [name, make(name)])) as T
}

/**
 * Validates a module's arguments, because its code may be JavaScript. @throws TypeError for arguments in the
 * form of the 2.2 line, and other invalid ones
 */
function checkedOrder(name: string, { module }: LoadedModule, [fn, order = {}, ...more]: readonly unknown[]): HookOrder {
  const refuse = (reason: string): never => {
    throw new TypeError(`hooks.${name}.add of ${module.source}: ${reason}; see UPGRADING.md#api-hook-order`)
  }
  if (typeof fn !== 'function') return refuse('the first argument is not a function')
  if (more.length > 0) return refuse('since 2.4 it takes two arguments, the function and { rank, before, after }')
  if (!isOrder(order)) return refuse('since 2.4 the order is an object, { rank, before, after }')
  return order
}

function isOrder(value: unknown): value is HookOrder {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { rank, before, after }: Partial<Record<keyof HookOrder, unknown>> = value
  return (rank === undefined || (typeof rank === 'string' && Object.hasOwn(RANKS, rank))) && isNames(before) && isNames(after)
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}

/**
 * Sorts by rank, and equal ranks by order of registration. Lists take precedence over ranks: a function that
 * must run before another is moved directly before it.
 */
function sortEntries<F>(name: string, entries: readonly Entry<F>[]): Entry<F>[] {
  const byRank = [...entries].sort((a, b) => RANKS[a.order.rank ?? 'middle'] - RANKS[b.order.rank ?? 'middle'])
  const sorted: Entry<F>[] = []
  const state = new Map<Entry<F>, 'open' | 'done'>()
  const visit = (entry: Entry<F>, path: readonly Entry<F>[]): void => {
    if (state.get(entry) === 'done') return
    if (state.get(entry) === 'open') {
      // The path leads from a function to those that must run before it.
      const loop = [entry, ...path.slice(path.indexOf(entry)).reverse()].map(({ owner }) => owner.module.source)
      throw new HookCycle(`the order of the functions of hook ${name} is a circle: ${loop.join(' before ')}`)
    }
    state.set(entry, 'open')
    for (const other of byRank) {
      const first =
        other !== entry &&
        (entry.order.after?.includes(other.owner.module.source) || other.order.before?.includes(entry.owner.module.source))
      if (first) visit(other, [...path, entry])
    }
    state.set(entry, 'done')
    sorted.push(entry)
  }
  for (const entry of byRank) visit(entry, [])
  return sorted
}
