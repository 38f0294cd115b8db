import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { hasRequire } from '../site/access-rules.ts'
import { SectionReader } from '../site/bound-section.ts'
import { type Chain, findChains } from '../site/chains.ts'
import { ConfigFiles } from '../site/config-files.ts'
import { everyLine } from '../site/read-nodes.ts'
import type { Variant } from '../site/variant.ts'
import { decisionOf } from '../stages/decision.ts'
import type { Claim, Decided } from './claim.ts'
import { requestClasses } from './classes.ts'
import { clientClasses, hostsText } from './clients.ts'
import { type VariableSwitch, variableSwitches, variablesOf } from './environment.ts'
import { groupMembers } from './group-members.ts'
import { allRuleWords, joinWords, type RuleWords, ruleWords } from './words.ts'

export interface ProveOptions {
  readonly before: Variant
  readonly after: Variant
  /** A request for each chain of sections. */
  readonly chains: readonly Chain[]
  /** Requests that are decided at most, on each side. */
  readonly limit: number
  /** Files that were not rewritten: new denials by their sections are reported separately. */
  readonly foreign?: ReadonlySet<string>
  /** Called for every decided request. */
  readonly observe?: (claim: Claim) => void
  /** Receives every difference; without it, the search ends at the most ordinary one of each place. */
  readonly collect?: (difference: Difference) => void
  /** @throws ConfigError when a configuration does not load */
  open(variant: Variant, side: 'before' | 'after'): Promise<PolicyServer>
}

/**
 * A request that the two sides decide differently. The configuration's own rules may set the variables for
 * requests of another kind.
 */
export interface Difference extends Claim {
  readonly before: Explained
  readonly after: Explained
}

/** A decision with the rule that made it, in words. */
export interface Explained extends Decided {
  readonly why: string
  /**
   * The places of the rules that apply to the request, `FILE:LINE`, in the order in which they are merged;
   * the last of a dialect is in force.
   */
  readonly rules: readonly string[]
}

export interface Proof {
  /**
   * Requests that were decided on both sides, each representing all that the rules cannot distinguish from
   * it.
   */
  readonly classes: number
  readonly places: number
  /** The difference in the most ordinary request; null if none was found. */
  readonly difference: Difference | null
  /**
   * A request that a section of a foreign file now denies according to its rules, and did not deny before;
   * null for none.
   */
  readonly closed: Difference | null
  /** Descriptions of properties that were tested with some values only. If it is '', the result is exact. */
  readonly sampled: readonly string[]
}

/** Decides every class of requests on two configurations. @throws ConfigError when one does not load */
export async function prove({
  before,
  after,
  chains,
  limit,
  foreign = new Set(),
  observe,
  collect,
  open,
}: ProveOptions): Promise<Proof> {
  const sides = [new ConfigFiles(before.texts), new ConfigFiles(after.texts)]
  const everything = joinWords([
    ...sides.flatMap((files) => files.paths.map((path) => wordsOfFile(files, path))),
    // The values of variables and of macros' parameters.
    ...chains.flatMap(({ sections }) => sections.map(({ lines }) => allRuleWords(lines))),
  ])
  const { clients } = clientClasses(everything)
  const { switches, lines } = variableSwitches([...everything.variables])
  const asked = (variant: Variant): Variant => ({
    ...variant,
    after: [...variant.after, ...lines],
    hosts: hostsText(clients),
    logins: 'anyone',
  })
  const old = await open(asked(before), 'before')
  try {
    const now = await open(asked(after), 'after')
    try {
      const titles = new Set([...(before.conditional ?? []), ...(after.conditional ?? [])])
      const conditional = [...titles].map((title) => `${title}: no request made its condition hold`)
      const proof = await new Comparison(old, now, {
        limit,
        foreign,
        observe,
        collect,
        sides,
        switches,
        allClients: everything,
      }).run(chains)
      return { ...proof, sampled: [...conditional, ...proof.sampled] }
    } finally {
      await now.close()
    }
  } finally {
    await old.close()
  }
}

/** The input of a comparison of two configurations. */
interface ComparisonOptions {
  readonly limit: number
  readonly foreign: ReadonlySet<string>
  readonly observe: ProveOptions['observe']
  readonly collect: ProveOptions['collect']
  readonly sides: readonly ConfigFiles[]
  readonly switches: readonly VariableSwitch[]
  readonly allClients: RuleWords
}

class Comparison {
  readonly #old: PolicyServer
  readonly #now: PolicyServer
  readonly #options: ComparisonOptions
  readonly #readers: readonly SectionReader[]
  readonly #sampled = new Set<string>()
  #classes = 0
  #difference: Difference | null = null
  #closed: Difference | null = null
  #least = Number.POSITIVE_INFINITY

  constructor(old: PolicyServer, now: PolicyServer, options: ComparisonOptions) {
    this.#old = old
    this.#now = now
    this.#options = options
    const [oldFiles, newFiles] = options.sides
    this.#readers = [new SectionReader(old, oldFiles), new SectionReader(now, newFiles)]
  }

  async run(chains: readonly Chain[]): Promise<Proof> {
    const questions = [...new Map(chains.map(({ question }) => [JSON.stringify(question), question])).values()]
    const share = Math.max(1, Math.floor(this.#options.limit / Math.max(1, questions.length)))
    for (const question of questions) await this.#place(question, share)
    const classes = this.#classes
    const difference = this.#difference
    const closed = this.#closed
    return { classes, places: questions.length, difference, closed, sampled: [...this.#sampled] }
  }

  async #place(base: Question, share: number): Promise<void> {
    const [oldFiles] = this.#options.sides
    const [oldReader, newReader] = this.#readers
    const words = joinWords([...(await wordsAt(this.#old, oldReader, base)), ...(await wordsAt(this.#now, newReader, base))])
    const { clients, complete } = this.#clientsFor(words)
    if (!complete) this.#sampled.add('clients: not every address under every name')
    for (const line of words.free) this.#sampled.add(`Require ${line}`)
    const { members, unread } = groupMembers(oldFiles, words.groups, (path) => this.#old.configuration.serverRelative(path))
    for (const path of unread) this.#sampled.add(`groups of ${path}, which cannot be read`)
    const switches = this.#options.switches.filter(({ variable }) => words.variables.has(variable))
    const { questions, count } = requestClasses(base, words, { clients, switches, members })
    if (count > share)
      this.#sampled.add(`requests for ${base.target}: ${share} of ${count}, starting with the most ordinary ones`)
    let left = share
    for (const { question, differences } of questions) {
      const { collect } = this.#options
      if (left-- === 0 || (collect === undefined && differences >= this.#least)) return
      const before = await decide(this.#old, question)
      const after = await decide(this.#now, question)
      this.#classes++
      const byName = words.names.size > 0
      const { otherLogin } = words
      const claim: Claim = { question, variables: variablesOf(question, switches), byName, otherLogin, before, after }
      this.#options.observe?.(claim)
      if (isSame(before, after)) continue
      const difference: Difference = {
        ...claim,
        before: await explained(this.#old, oldReader, question),
        after: await explained(this.#now, newReader, question),
      }
      if (after.status === 403 && (await this.#isForeign(question))) {
        this.#closed ??= difference
        continue
      }
      if (differences < this.#least) {
        this.#difference = difference
        this.#least = differences
      }
      if (collect === undefined) return
      collect(difference)
    }
  }

  /** Whether the Require lines now in force are in a file that was not rewritten. */
  async #isForeign(question: Question): Promise<boolean> {
    const { foreign } = this.#options
    if (foreign.size === 0) return false
    const [chain] = await findChains(this.#now, this.#readers[1], [question])
    const last = chain?.sections.findLast(({ access }) => hasRequire(access))
    return last !== undefined && foreign.has(last.file)
  }

  /** Clients at this place, with the addresses in the hosts file. */
  #clientsFor(words: RuleWords): ReturnType<typeof clientClasses> {
    if (words.names.size === 0) return clientClasses(words)
    return clientClasses(this.#options.allClients)
  }
}

async function wordsAt(server: PolicyServer, reader: SectionReader, question: Question): Promise<RuleWords[]> {
  const chains = await findChains(server, reader, [question])
  return chains.flatMap(({ sections }) => sections.map(({ lines }) => ruleWords(lines)))
}

/** Guards that are false are read as well, because additional words do no harm. */
function wordsOfFile(files: ConfigFiles, path: string): RuleWords {
  return allRuleWords(everyLine(path, files.document(path)?.items ?? []))
}

async function decide(server: PolicyServer, question: Question): Promise<Decided> {
  const { response, record } = await server.ask(question)
  return {
    status: response.status,
    challenge: response.header('WWW-Authenticate') ?? '',
    user: record.requests[0]?.request.user ?? null,
  }
}

async function explained(server: PolicyServer, reader: SectionReader, question: Question): Promise<Explained> {
  const { response, record } = await server.ask(question)
  const [main] = record.requests
  const why = main === undefined ? '' : decisionOf(main, response.status).rule.text
  const [chain] = await findChains(server, reader, [question])
  const rules = (chain?.sections ?? []).flatMap(({ file, access: { lines } }) =>
    lines.length === 0 ? [] : [`${file}:${lines[0].place.item.line ?? 1}`],
  )
  return { ...(await decide(server, question)), why, rules }
}

/** A nonce is new in every answer. */
function isSame(a: Decided, b: Decided): boolean {
  const stable = (challenge: string): string => challenge.replace(/nonce="[^"]*"/g, '')
  return a.status === b.status && a.user === b.user && stable(a.challenge) === stable(b.challenge)
}
