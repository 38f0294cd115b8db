import { type ConfigNode, openingArgument, splitWords } from '@gatewright/config'
import { type HostWord, hostWords } from './host-words.ts'
import type { LinePlace, LinePlaces } from './line-places.ts'
import { knownMethod } from './method-classes.ts'
import { DENIED, GRANTED, type Requirement, type WrittenItem } from './requirement.ts'
import type { SteadyVariables } from './writing.ts'

/** The methods that a line is about: those named, or all but those. */
export interface LineMethods {
  readonly names: readonly string[]
  readonly except: boolean
}

/** A line about access, or a container of such lines, as it was read. */
export type AccessLine = {
  readonly place: LinePlace
  readonly methods: readonly LineMethods[]
} & (
  | { readonly kind: 'order'; readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure' }
  | { readonly kind: 'allow' | 'deny'; readonly words: readonly HostWord[] }
  | { readonly kind: 'satisfy'; readonly satisfy: 'all' | 'any' }
  | { readonly kind: 'require'; readonly requirement: Requirement }
  /** AuthMerging: how the Require lines here are joined with those of outer sections. */
  | { readonly kind: 'merging'; readonly merging: 'off' | 'and' | 'or' }
)

/** The access rules in a section's or .htaccess file's own lines. */
export interface AccessLines {
  readonly lines: readonly AccessLine[]
  readonly authType: 'set' | 'none' | 'unsaid'
  /** Why the lines cannot be understood without more, with the line in question. */
  readonly obstacles: readonly { readonly line: number; readonly reason: string }[]
}

/** The sources for looking up lines. */
export interface LineSources {
  readonly places: LinePlaces
  readonly variables: SteadyVariables
}

/**
 * Collects the lines about access among the lines of a section, through limits; sections inside it are
 * others' business.
 */
export function accessLines(nodes: readonly ConfigNode[], sources: LineSources): AccessLines {
  const collector = new Collector(sources)
  collector.collect(nodes, [])
  return collector
}

class Collector implements AccessLines {
  readonly lines: AccessLine[] = []
  readonly obstacles: { readonly line: number; readonly reason: string }[] = []
  authType: AccessLines['authType'] = 'unsaid'
  readonly #sources: LineSources

  constructor(sources: LineSources) {
    this.#sources = sources
  }

  collect(nodes: readonly ConfigNode[], methods: readonly LineMethods[]): void {
    for (const node of nodes) {
      if (node.children !== null) this.#section(node, node.children, methods)
      else this.#directive(node, methods)
    }
  }

  #directive(node: ConfigNode, methods: readonly LineMethods[]): void {
    const name = node.name.toLowerCase()
    const words = splitWords(node.text)
    if (name === 'authtype') {
      this.authType = words[0]?.toLowerCase() === 'none' ? 'none' : 'set'
      return
    }
    if (!ACCESS.has(name)) return
    const place = this.#placeOf(node)
    if (place === undefined) return
    const [first = ''] = words.map((word) => word.toLowerCase())
    switch (name) {
      case 'order': {
        const order = ORDERS.find((one) => one === first)
        if (order === undefined) this.#obstacle(place, `'${node.text}' is not an order`)
        else this.lines.push({ kind: 'order', order, place, methods })
        return
      }
      case 'allow':
      case 'deny':
        if (first !== 'from') this.#obstacle(place, `${node.name} without 'from'`)
        else this.lines.push({ kind: name, words: hostWords(node.text, place, this.#sources.variables), place, methods })
        return
      case 'satisfy':
        this.lines.push({ kind: 'satisfy', satisfy: first === 'any' ? 'any' : 'all', place, methods })
        return
      case 'authmerging':
        this.lines.push({ kind: 'merging', merging: first === 'and' || first === 'or' ? first : 'off', place, methods })
        return
      default:
        this.lines.push({ kind: 'require', requirement: this.#requireLine(node, place), place, methods })
    }
  }

  #section(node: ConfigNode, children: readonly ConfigNode[], methods: readonly LineMethods[]): void {
    const name = sectionName(node)
    if (name === 'limit' || name === 'limitexcept') {
      const names = methodNames(node)
      if (names.every((one) => one !== null)) this.collect(children, [...methods, { names, except: name === 'limitexcept' }])
      else this.#obstacle(this.#placeOf(node), `'${node.text}': a method that Require does not know by name`)
      return
    }
    if (!CONTAINERS.has(name)) return
    const place = this.#placeOf(node)
    if (place === undefined) return
    const requirement = this.#container(node, children, place)
    if (requirement !== null) this.lines.push({ kind: 'require', requirement, place, methods })
  }

  /** null when something in it cannot be understood. */
  #container(node: ConfigNode, nodes: readonly ConfigNode[], place: LinePlace): Requirement | null {
    const children: Requirement[] = []
    let isWritten = true
    for (const inner of nodes) {
      const innerPlace = this.#placeOf(inner)
      if (innerPlace === undefined) return null
      let child: Requirement | null = null
      if (inner.children === null && inner.name.toLowerCase() === 'require') child = this.#requireLine(inner, innerPlace)
      else if (inner.children !== null && CONTAINERS.has(sectionName(inner)))
        child = this.#container(inner, inner.children, innerPlace)
      else this.#obstacle(innerPlace, 'only Require lines can be rewritten in a container of Require lines')
      if (child === null) return null
      isWritten &&= child.written !== undefined && inner.file === node.file
      children.push(withoutItem(child))
    }
    const written: WrittenItem | undefined = isWritten ? { item: place.item, frame: place.frame } : undefined
    return { kind: KINDS[sectionName(node)], children, written }
  }

  #requireLine(node: ConfigNode, place: LinePlace): Requirement {
    const text = node.text.trim()
    const negated = /^not\s+/i.exec(text)
    const written = this.#writtenItem(node, place)
    if (/^all\s+granted$/i.test(text)) return { ...GRANTED, written }
    if (/^all\s+denied$/i.test(text)) return { ...DENIED, written }
    const said = negated === null ? text : text.slice(negated[0].length)
    return { kind: 'line', text: said, negated: negated !== null, written }
  }

  /**
   * Whether the item has the same meaning everywhere, or everywhere with the same values of the macro's
   * parameters.
   */
  #writtenItem(node: ConfigNode, { item, frame }: LinePlace): WrittenItem | undefined {
    if (!this.#sources.variables.isSteady(item.text)) return undefined
    return { item, frame: item.text === node.text ? null : frame }
  }

  #placeOf(node: ConfigNode): LinePlace | undefined {
    const place = this.#sources.places.of(node)
    if (place === undefined)
      this.obstacles.push({ line: node.line, reason: `the text of '${node.name} ${node.text}' was not found: ${node.file}` })
    else if (hasBareParameters(place))
      this.#obstacle(place, 'parameters of the macro begin with none of $, % and @: new lines might hold them by chance')
    return place
  }

  #obstacle(place: LinePlace | undefined, reason: string): void {
    if (place !== undefined) this.obstacles.push({ line: place.item.line ?? 0, reason })
  }
}

/** Whether a macro around a line has parameters that any word may turn out to be. */
function hasBareParameters({ frame, parents }: LinePlace): boolean {
  const macro = frame === null ? undefined : parents.find(({ name }) => name.toLowerCase() === 'macro')
  return macro?.words.slice(1).some((word) => !/^[$%@]/.test(word)) ?? false
}

/** `<LIMIT` is `limit`. */
export function sectionName({ name }: Pick<ConfigNode, 'name'>): string {
  return name.slice(1).toLowerCase()
}

function methodNames({ name, text }: ConfigNode): (string | null)[] {
  const opening = openingArgument(name, text)
  return 'error' in opening ? [null] : splitWords(opening.argument).map(knownMethod)
}

function withoutItem({ written: _, ...requirement }: Requirement): Requirement {
  return requirement
}

const ORDERS = ['deny,allow', 'allow,deny', 'mutual-failure'] as const
const ACCESS: ReadonlySet<string> = new Set(['order', 'allow', 'deny', 'satisfy', 'require', 'authmerging'])
const KINDS: Readonly<Record<string, 'all' | 'any' | 'none'>> = { requireall: 'all', requireany: 'any', requirenone: 'none' }
const CONTAINERS: ReadonlySet<string> = new Set(Object.keys(KINDS))
