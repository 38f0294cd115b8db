import { type ConfigNode, openingArgument, splitWords } from '@gatewright/config'
import { sectionName } from '../site/access-lines.ts'
import { hostTerm } from '../site/host-word.ts'

/** The values that the rules of some sections test. */
export interface RuleWords {
  readonly networks: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly variables: ReadonlySet<string>
  readonly methods: ReadonlySet<string>
  readonly users: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly local: boolean
  /**
   * Lines with conditions that cannot be enumerated: expressions, owners of files, and conditions of other
   * modules.
   */
  readonly free: readonly string[]
  readonly asksForUser: boolean
  /** Whether users do not authenticate with Basic authentication. */
  readonly otherLogin: boolean
}

/** Reads both dialects, in all containers. */
export function ruleWords(nodes: readonly ConfigNode[]): RuleWords {
  const words = new Words()
  words.read(nodes)
  return words
}

/** The same, in sections of any kind as well. */
export function allRuleWords(nodes: readonly ConfigNode[]): RuleWords {
  const inner = nodes.flatMap(({ children }) => (children === null ? [] : [allRuleWords(children)]))
  return joinWords([ruleWords(nodes), ...inner])
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
  otherLogin = false

  read(nodes: readonly ConfigNode[]): void {
    for (const node of nodes) {
      if (node.children === null) this.#directive(node.name.toLowerCase(), node.text)
      else {
        const name = sectionName(node)
        if (name === 'limit' || name === 'limitexcept') addAll(this.methods, argumentsOf(node))
        if (INNER.test(name)) this.read(node.children)
      }
    }
  }

  add(other: RuleWords): void {
    for (const key of SETS) for (const word of other[key]) this[key].add(word)
    this.free.push(...other.free.filter((line) => !this.free.includes(line)))
    this.local ||= other.local
    this.asksForUser ||= other.asksForUser
    this.otherLogin ||= other.otherLogin
  }

  #directive(name: string, text: string): void {
    if (name === 'allow' || name === 'deny') for (const word of splitWords(text).slice(1)) this.#hostWord(word)
    if (name === 'authtype') this.otherLogin ||= !/^["']?(?:basic|none)["']?$/i.test(text.trim())
    if (name === 'require') this.#require(text.trim().replace(/^not\s+/i, ''))
  }

  #hostWord(word: string): void {
    const term = hostTerm(word)
    if (term.kind === 'line' && term.provider === 'ip') this.networks.add(term.argument)
    else if (term.kind === 'line' && term.provider === 'host') this.names.add(term.argument)
    else if ('provider' in term) this.variables.add(term.argument)
  }

  #require(text: string): void {
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
const INNER = /^(?:limit|limitexcept|require(?:all|any|none))$/

function addAll(set: Set<string>, words: readonly string[]): void {
  for (const word of words) set.add(word)
}

function argumentsOf({ name, text }: ConfigNode): string[] {
  const opening = openingArgument(name, text)
  return 'error' in opening ? [] : splitWords(opening.argument)
}
