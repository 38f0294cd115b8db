import type { ProxyBalancer, ProxyBalancerParameters, SectionInfo, SharedRecord, SharedRecordShape } from '@gatewright/api'
import { changesIn, textOf } from './parameter-changes.ts'
import { Worker, workerParts } from './worker.ts'
import { leadingNumber } from './worker-parameters.ts'
import { DISABLED } from './worker-status.ts'

type MutableBalancerParameters = { -readonly [K in keyof ProxyBalancerParameters]: ProxyBalancerParameters[K] }

/** Opens the records that processes share. */
export type OpenRecord = (name: string, shape: SharedRecordShape) => SharedRecord

/** What outlasts a reload, with BalancerPersist: the text of a record, as JSON. */
interface KeptBalancer {
  readonly changes: string
  readonly members: readonly { readonly name: string; readonly changes: string; readonly states: number }[]
}

/** Members that can be added while the server runs, without `growth=`. */
const GROWTH = 5

/** A group of workers, `balancer://NAME`. */
export class Balancer implements ProxyBalancer {
  readonly name: string
  readonly section: SectionInfo
  readonly members: Worker[] = []
  readonly parameters: MutableBalancerParameters = {
    lbmethod: 'byrequests',
    stickySession: null,
    stickyPath: null,
    noFailover: false,
    timeout: 0,
    maxAttempts: null,
    forceRecovery: true,
    failOnTimeout: false,
    failOnStatus: [],
    scolonPathDelimiter: false,
    stickySeparator: '.',
  }
  growth: number = GROWTH
  /** The nonce of its manager; null for one that is made at the start, '' for none. */
  nonce: string | null = null
  #record: SharedRecord | null = null
  #open: OpenRecord | null = null
  #configured = 0
  #methods: () => readonly string[] = () => []
  #kept: SharedRecord | null = null
  /** Parameters that an operator has changed, and members that were added. */
  readonly #changes = new Map<string, string>()

  constructor(name: string, section: SectionInfo) {
    this.name = name
    this.section = section
  }

  get server(): ProxyBalancer['server'] {
    return this.section.server
  }

  get freePlaces(): number {
    return this.growth - (this.members.length - this.#configured)
  }

  /**
   * From now on, the processes of the server share what is found and changed.
   * @param persists whether what an operator changes outlasts a reload
   */
  share(open: OpenRecord, methods: () => readonly string[], persists: boolean): void {
    this.#open = open
    this.#methods = methods
    this.#configured = this.members.length
    const kept = persists ? open(`${this.name}/kept`, { numbers: 0, outlastsReload: true }) : null
    const former: KeptBalancer | null = kept === null || kept.text === '' ? null : JSON.parse(kept.text)
    for (let index = 0; index < this.members.length; index++) this.#shareMember(index)
    this.#record = open(`${this.name}`, { numbers: 0, onText: (text) => this.#apply(text) })
    this.#apply(former?.changes ?? '')
    this.#apply(this.#record.text)
    for (const { name, changes, states } of former?.members ?? []) {
      this.members.find((member) => member.name === name)?.restore(changes, states)
    }
    this.#kept = kept
  }

  #keep(): void {
    if (this.#kept === null) return
    const members = this.members.map((member) => ({ name: member.name, changes: member.changes, states: member.changedStates }))
    const kept: KeptBalancer = { changes: textOf(this.#changes), members }
    this.#kept.setText(JSON.stringify(kept))
  }

  change(name: string, value: string): string | undefined {
    const problem = this.#set(name, value)
    if (problem === undefined) this.#publish(name, value)
    return problem
  }

  addMember(url: string): Worker | string {
    if (this.freePlaces <= 0) return `${this.name} has no place for another member: see growth=`
    const added = this.#add(url)
    if (typeof added !== 'string') this.#publish(`member ${this.members.length}`, url)
    return added
  }

  /** An operator can also take back what the configuration sets. */
  #set(name: string, value: string): string | undefined {
    if (name === 'timeout' && leadingNumber(value) === 0) this.parameters.timeout = 0
    else if (name === 'stickysession' && value === '-') this.parameters.stickySession = null
    else return setBalancerParameter(this, name, value, this.#methods())
    return undefined
  }

  #publish(name: string, value: string): void {
    this.#changes.set(name, value)
    this.#record?.setText(textOf(this.#changes))
    this.#keep()
  }

  #apply(text: string): void {
    for (const [name, value] of changesIn(text)) {
      this.#changes.set(name, value)
      if (!name.startsWith('member ')) this.#set(name, value)
      else if (Number(name.slice(7)) > this.members.length) this.#add(value)
    }
  }

  #add(url: string): Worker | string {
    const parts = workerParts(url, (path) => path)
    if ('error' in parts) return parts.error
    const { name } = parts
    const known = this.members.find((member) => member.name === name)
    if (known !== undefined) return `${this.name} has a member ${name} already`
    const member = new Worker(parts, this.section, 'member')
    member.parameters.status = DISABLED
    this.members.push(member)
    this.#shareMember(this.members.length - 1)
    return member
  }

  #shareMember(index: number): void {
    this.members[index].share(
      (shape) => this.#open?.(`${this.name}/${index}`, shape) ?? unshared(),
      () => this.#keep(),
    )
  }
}

function unshared(): never {
  throw new Error('a member is shared before its balancer')
}

/** The name of the balancer in a URL. */
export function balancerOf(url: string): string {
  const found = /^balancer:\/\/([^/?]*)/i.exec(url)
  return `balancer://${(found?.[1] ?? '').toLowerCase()}`
}

export function isBalancer(url: string): boolean {
  return /^balancer:/i.test(url)
}

/**
 * Sets one parameter of a balancer.
 * @param methods the names of the methods that are loaded
 * @returns what is wrong with it
 */
export function setBalancerParameter(
  balancer: Balancer,
  name: string,
  value: string,
  methods: readonly string[],
): string | undefined {
  const { parameters } = balancer
  const flag = (label: string, act: (on: boolean) => void): string | undefined => {
    if (!/^(?:on|off)$/i.test(value)) return `${label} must be On|Off`
    act(/^on$/i.test(value))
    return undefined
  }
  switch (name.toLowerCase()) {
    case 'stickysession': {
      const [cookie, path] = value.split('|', 2)
      parameters.stickySession = cookie
      parameters.stickyPath = path ?? cookie
      return undefined
    }
    case 'stickysessionsep':
      parameters.stickySeparator = /^(?:off|)$/i.test(value) ? null : value[0]
      return value.length > 1 && !/^off$/i.test(value) ? 'stickysessionsep must be a single character or Off' : undefined
    case 'nofailover':
      return flag('failover', (on) => void (parameters.noFailover = on))
    case 'timeout': {
      const seconds = leadingNumber(value)
      if (seconds < 1) return 'timeout must be at least one second'
      parameters.timeout = seconds * 1000
      return undefined
    }
    case 'maxattempts': {
      const attempts = leadingNumber(value)
      if (attempts < 0) return 'maximum number of attempts must be a positive number'
      parameters.maxAttempts = attempts
      return undefined
    }
    case 'lbmethod':
      if (!methods.includes(value.toLowerCase())) return 'unknown lbmethod'
      parameters.lbmethod = value.toLowerCase()
      return undefined
    case 'scolonpathdelim':
      return flag('scolonpathdelim', (on) => void (parameters.scolonPathDelimiter = on))
    case 'failonstatus': {
      const statuses = value.split(/[,\s]+/).map(leadingNumber)
      if (statuses.some((status) => status < 100 || status > 599)) return 'failonstatus must be one or more HTTP response codes'
      parameters.failOnStatus = statuses
      return undefined
    }
    case 'failontimeout':
      return flag('failontimeout', (on) => void (parameters.failOnTimeout = on))
    case 'nonce':
      if (/^none$/i.test(value)) balancer.nonce = ''
      else if (value.length > 36) return 'Provided nonce is too large'
      else balancer.nonce = value
      return undefined
    case 'growth': {
      const growth = leadingNumber(value)
      if (growth < 1 || growth > 100) return 'growth must be between 1 and 100'
      balancer.growth = growth
      return undefined
    }
    case 'forcerecovery':
      return flag('forcerecovery', (on) => void (parameters.forceRecovery = on))
    default:
      return 'unknown Balancer parameter'
  }
}
