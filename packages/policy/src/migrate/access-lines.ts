import type { DirectiveItem, DocumentItem, SectionItem } from '@gatewright/config'
import { knownMethod } from './method-classes.ts'
import { DENIED, GRANTED, type Requirement } from './requirement.ts'

/** The methods that a line is about: those named, or all but those. */
export interface LineMethods {
  readonly names: readonly string[]
  readonly except: boolean
}

/** A line about access, or a container of such lines. */
export type AccessLine = {
  readonly item: DirectiveItem | SectionItem
  /** The section, or the guard in it, whose items it is among; a `<Limit>` around it does not count. */
  readonly holder: SectionItem | null
  /** The `<Limit>` and `<LimitExcept>` around it, outermost first. */
  readonly limits: readonly SectionItem[]
  readonly methods: readonly LineMethods[]
} & (
  | { readonly kind: 'order'; readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure' }
  | { readonly kind: 'allow' | 'deny'; readonly words: readonly string[] }
  | { readonly kind: 'satisfy'; readonly satisfy: 'all' | 'any' }
  | { readonly kind: 'require'; readonly requirement: Requirement }
)

/** What a section, or a .htaccess file, says about access in its own lines. */
export interface AccessLines {
  readonly lines: readonly AccessLine[]
  readonly authType: 'set' | 'none' | 'unsaid'
  /** Why the lines cannot be understood without more, with the line in question. */
  readonly obstacles: readonly { readonly line: number; readonly reason: string }[]
}

/** Whether the body of a guard at a line was read. */
export type GuardReading = (line: number) => 'read' | 'skipped' | 'both'

/** Collects the lines about access among the items of a section, through guards and limits; sections inside it are others' business. */
export function accessLines(items: readonly DocumentItem[], guards: GuardReading): AccessLines {
  const collector = new Collector(guards)
  collector.collect(items, { holder: null, limits: [], methods: [] })
  return collector
}

/** How far up the lines of a formula are limited. */
interface Surroundings {
  readonly holder: SectionItem | null
  readonly limits: readonly SectionItem[]
  readonly methods: readonly LineMethods[]
}

class Collector implements AccessLines {
  readonly lines: AccessLine[] = []
  readonly obstacles: { readonly line: number; readonly reason: string }[] = []
  authType: AccessLines['authType'] = 'unsaid'
  private readonly guards: GuardReading

  constructor(guards: GuardReading) {
    this.guards = guards
  }

  collect(items: readonly DocumentItem[], around: Surroundings): void {
    for (const item of items) {
      if (item.kind === 'directive') this.directive(item, around)
      else if (item.kind === 'section') this.section(item, around)
    }
  }

  private directive(item: DirectiveItem, around: Surroundings): void {
    const name = item.name.toLowerCase()
    if (name === 'include' || name === 'includeoptional' || name === 'use')
      return this.obstacle(item, `${item.name} inside a section: what it brings is not looked into`)
    if (name === 'authmerging')
      return this.obstacle(item, 'AuthMerging joins this section with others, which is left to whoever wrote it')
    if (name === 'authtype') {
      this.authType = item.words[0]?.toLowerCase() === 'none' ? 'none' : 'set'
      return
    }
    if (!ACCESS.has(name)) return
    if (/\$\{/.test(item.text)) return this.obstacle(item, 'the line has a variable in it')
    const place = { item, ...around }
    switch (name) {
      case 'order': {
        const order = ORDERS.find((one) => one === item.words[0]?.toLowerCase())
        if (order === undefined) this.obstacle(item, `'${item.text}' is no order`)
        else this.lines.push({ kind: 'order', order, ...place })
        return
      }
      case 'allow':
      case 'deny':
        if (item.words[0]?.toLowerCase() !== 'from') this.obstacle(item, `${item.name} without 'from'`)
        else this.lines.push({ kind: name, words: item.words.slice(1), ...place })
        return
      case 'satisfy':
        this.lines.push({ kind: 'satisfy', satisfy: item.words[0]?.toLowerCase() === 'any' ? 'any' : 'all', ...place })
        return
      default:
        this.lines.push({ kind: 'require', requirement: requireLine(item), ...place })
    }
  }

  private section(item: SectionItem, around: Surroundings): void {
    const name = item.name.toLowerCase()
    if (GUARDS.has(name)) {
      const reading = this.guards(item.line ?? 0)
      if (reading === 'skipped') return
      if (reading === 'both') this.obstacle(item, 'the file is read more than once, and this guard does not always hold')
      else this.collect(item.items, around.limits.length === 0 ? { ...around, holder: item } : around)
      return
    }
    if (name === 'limit' || name === 'limitexcept') {
      const names = item.words.map(knownMethod)
      if (names.some((one) => one === null))
        return this.obstacle(item, `'${item.text}': a method that Require does not know by name`)
      const methods = { names: names.filter((one) => one !== null), except: name === 'limitexcept' }
      return this.collect(item.items, { ...around, limits: [...around.limits, item], methods: [...around.methods, methods] })
    }
    if (!CONTAINERS.has(name)) return
    const requirement = this.container(item)
    if (requirement !== null) this.lines.push({ kind: 'require', requirement, item, ...around })
  }

  /** null when something in it cannot be understood. */
  private container(item: SectionItem): Requirement | null {
    const kind = KINDS[item.name.toLowerCase()]
    const children: Requirement[] = []
    for (const inner of item.items) {
      if (inner.kind === 'directive' && inner.name.toLowerCase() === 'require' && !/\$\{/.test(inner.text))
        children.push(withoutItem(requireLine(inner)))
      else if (inner.kind === 'section' && CONTAINERS.has(inner.name.toLowerCase())) {
        const child = this.container(inner)
        if (child === null) return null
        children.push(withoutItem(child))
      } else if (inner.kind !== 'comment' && inner.kind !== 'blank') {
        this.obstacle(inner, 'inside a container of Require lines only Require lines are understood')
        return null
      }
    }
    return { kind, children, written: item }
  }

  private obstacle(item: DocumentItem, reason: string): void {
    this.obstacles.push({ line: item.line ?? 0, reason })
  }
}

function requireLine(item: DirectiveItem): Requirement {
  const text = item.text.trim()
  const negated = /^not\s+/i.exec(text)
  if (/^all\s+granted$/i.test(text)) return { ...GRANTED, written: item }
  if (/^all\s+denied$/i.test(text)) return { ...DENIED, written: item }
  return { kind: 'line', text: negated === null ? text : text.slice(negated[0].length), negated: negated !== null, written: item }
}

function withoutItem({ written: _, ...requirement }: Requirement): Requirement {
  return requirement
}

const ORDERS = ['deny,allow', 'allow,deny', 'mutual-failure'] as const
const ACCESS: ReadonlySet<string> = new Set(['order', 'allow', 'deny', 'satisfy', 'require'])
const KINDS: Readonly<Record<string, 'all' | 'any' | 'none'>> = { requireall: 'all', requireany: 'any', requirenone: 'none' }
const CONTAINERS: ReadonlySet<string> = new Set(Object.keys(KINDS))
export const GUARDS: ReadonlySet<string> = new Set(['ifmodule', 'ifversion', 'ifdefine', 'iffile', 'ifdirective', 'ifsection'])
