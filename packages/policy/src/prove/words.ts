import type { DocumentItem } from '@gatewright/config'
import { splitWords } from '@gatewright/config'
import { hostTerm } from '../migrate/host-word.ts'

/** What the rules of some sections look at. */
export interface RuleWords {
  readonly networks: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly variables: ReadonlySet<string>
  readonly methods: ReadonlySet<string>
  readonly users: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly local: boolean
  /** Lines whose conditions cannot be enumerated: expressions, owners of files and what other modules bring. */
  readonly free: readonly string[]
  readonly asksForUser: boolean
}

/** Reads both dialects, in all containers and guards. Guards that do not hold are read as well: words too many do no harm. */
export function ruleWords(items: readonly DocumentItem[]): RuleWords {
  const words = new Words()
  words.read(items)
  return words
}

export function joinWords(all: readonly RuleWords[]): RuleWords {
  const joined = new Words()
  for (const one of all) joined.add(one)
  return joined
}

class Words implements RuleWords {
  readonly networks = new Set<string>()
  readonly names = new Set<string>()
  readonly variables = new Set<string>()
  readonly methods = new Set<string>()
  readonly users = new Set<string>()
  readonly groups = new Set<string>()
  readonly free: string[] = []
  local = false
  asksForUser = false

  read(items: readonly DocumentItem[]): void {
    for (const item of items) {
      if (item.kind === 'section') {
        const name = item.name.toLowerCase()
        if (name === 'limit' || name === 'limitexcept') for (const method of item.words) this.methods.add(method)
        if (INNER.test(name)) this.read(item.items)
      } else if (item.kind === 'directive') this.directive(item.name.toLowerCase(), item.text, item.words)
    }
  }

  add(other: RuleWords): void {
    for (const key of SETS) for (const word of other[key]) this[key].add(word)
    this.free.push(...other.free.filter((line) => !this.free.includes(line)))
    this.local ||= other.local
    this.asksForUser ||= other.asksForUser
  }

  private directive(name: string, text: string, words: readonly string[]): void {
    if (name === 'allow' || name === 'deny') for (const word of words.slice(1)) this.hostWord(word)
    if (name === 'require') this.require(text.trim().replace(/^not\s+/i, ''))
  }

  private hostWord(word: string): void {
    const term = hostTerm(word)
    if (term.kind === 'line' && term.provider === 'ip') this.networks.add(term.argument)
    else if (term.kind === 'line' && term.provider === 'host') this.names.add(term.argument)
    else if ('provider' in term) this.variables.add(term.argument)
  }

  private require(text: string): void {
    const [provider = '', ...args] = splitWords(text)
    switch (provider) {
      case 'all':
        return
      case 'ip':
        return addAll(this.networks, args)
      case 'host':
        return addAll(this.names, args)
      case 'env':
        return addAll(this.variables, args)
      case 'method':
        return addAll(this.methods, args)
      case 'local':
        this.local = true
        return
      case 'valid-user':
        this.asksForUser = true
        return
      case 'user':
        this.asksForUser = true
        return addAll(this.users, args)
      case 'group':
      case 'dbm-group':
        this.asksForUser = true
        return addAll(this.groups, args)
      default:
        if (!this.free.includes(text)) this.free.push(text)
        this.asksForUser ||= /REMOTE_USER|owner|group/i.test(text)
    }
  }
}

const SETS = ['networks', 'names', 'variables', 'methods', 'users', 'groups'] as const
const INNER = /^(?:limit|limitexcept|require(?:all|any|none)|if(?:module|version|define|file|directive|section))$/

function addAll(set: Set<string>, words: readonly string[]): void {
  for (const word of words) set.add(word)
}
