import type { Command, CommandError, ContainerKey, MethodSet, OsError, Overlay, Override, SetResult } from '@gatewright/api'
import { type ConfigNode, openingArgument, splitWords } from '@gatewright/config'
import { ACCESS_CONF, overrideBits, PROXY_OFFERS } from '../base/context-bits.ts'
import { problemText } from '../base/problem.ts'
import { Section, type SectionMatch } from '../model/section.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { BoundDirective } from '../modules/registry.ts'
import type { BindContext } from './bind-context.ts'
import type { ConfigServicesImpl } from './config-services.ts'

/** Core's implementation of a command; core's own directives use parts that modules do not see. */
export class CommandImpl implements Command {
  readonly name: string
  readonly typedName: string
  readonly text: string
  readonly file: string
  readonly line: number
  readonly context: BindContext
  readonly node: ConfigNode
  readonly bound: BoundDirective

  constructor(bound: BoundDirective, node: ConfigNode, context: BindContext) {
    this.bound = bound
    this.name = bound.name
    this.typedName = node.name
    this.text = node.text
    this.file = node.file
    this.line = node.line
    this.node = node
    this.context = context
  }

  get server(): ServerRecord {
    return this.context.server
  }

  get section(): Section {
    return this.context.section
  }

  get container(): string | null {
    return this.node.parent === null ? null : this.node.parent.name.slice(1)
  }

  get inHtaccess(): boolean {
    return this.context.grant !== null
  }

  get limited(): MethodSet {
    return this.context.limited
  }

  get services(): ConfigServicesImpl {
    return this.context.services
  }

  words(text: string): string[] {
    return splitWords(text)
  }

  serverRelative(path: string): string {
    return this.context.configuration.serverRelative(path)
  }

  report(level: 'warn' | 'notice' | 'error', code: string, text: string, cause?: OsError | Error): void {
    const { shortName } = this.bound.owner
    if (cause === undefined) this.context.configuration.report(shortName, level, code, text, this.server.isVirtual)
    else
      this.context.configuration.report(shortName, level, '', problemText({ cause, code, message: text }), this.server.isVirtual)
  }

  insertLines(title: string, lines: readonly string[]): void {
    this.context.configuration.requestEffect({ kind: 'insert', title, lines })
  }

  walk(override?: readonly Override[]): CommandError | undefined {
    return this.context.bind(this.node.children ?? [], { ...this.#narrowedBy(override), later: undefined })
  }

  walkWith<T>(key: ContainerKey<T>, object: T, override?: readonly Override[]): CommandError | undefined {
    const handed = [{ name: key.name, object }, ...(this.context.handed ?? [])]
    return this.context.bind(this.node.children ?? [], { ...this.#narrowedBy(override), handed, later: undefined })
  }

  handed<T>(key: ContainerKey<T>): T | undefined {
    // An object under this name was given by walkWith with a key of this type.
    return this.context.handed?.find(({ name }) => name === key.name)?.object as T | undefined
  }

  walkThen(override: readonly Override[] | undefined, act: () => SetResult): SetResult {
    const { later } = this.context
    if (later === undefined) return this.walk(override) ?? act()
    const { node } = this
    later.push({ nodes: node.children ?? [], context: this.#narrowedBy(override), next: 0, end: { node, act } })
    return undefined
  }

  #narrowedBy(override: readonly Override[] | undefined): BindContext {
    return override === undefined ? this.context : { ...this.context, offers: overrideBits(override), narrowed: true }
  }

  walkOverlay(override: readonly Override[] = ['AuthConfig']): Overlay | CommandError {
    const section = this.newSection('overlay', `${this.typedName} ${this.text}`, '', null)
    const error = this.context.bind(this.node.children ?? [], {
      ...this.context,
      later: undefined,
      section,
      // In addition to the classes: directives that are allowed in sections but not in .htaccess files.
      offers: overrideBits(override) | ACCESS_CONF,
      narrowed: true,
    })
    return error ?? section
  }

  walkSection(kind: 'Proxy' | 'ProxyMatch', argument: string): Overlay | CommandError {
    const section = this.newSection(kind, `${this.typedName} ${this.text}`, argument, null)
    const error = this.context.bind(this.node.children ?? [], {
      ...this.context,
      later: undefined,
      section,
      offers: PROXY_OFFERS,
    })
    return error ?? section
  }

  sectionArgument(text: string): { readonly argument: string } | { readonly error: string } {
    return openingArgument(this.name, text)
  }

  /** A new section at this line. */
  newSection(
    kind: Section['kind'],
    title: string,
    argument: string,
    match: SectionMatch | null,
    server: ServerRecord = this.server,
  ): Section {
    const { configuration } = this.context
    const origin = {
      kind,
      title,
      argument,
      file: this.file,
      line: this.line,
      parent: this.section,
      server,
      sequence: configuration.sections.length,
    }
    const section = new Section(origin, match)
    if (configuration.keptLines !== null) section.lines = this.node.children
    if (!this.inHtaccess) configuration.sections.push(section)
    return section
  }

  /**
   * Handles the children in a section: at once, or after the handler of this container has returned. So the
   * caller must return right after this call.
   */
  walkInto(section: Section, changes: Partial<BindContext> = {}): CommandError | undefined {
    const nodes = this.node.children ?? []
    const context = { ...this.context, ...changes, section }
    if (context.later === undefined) return this.context.bind(nodes, context)
    context.later.push({ nodes, context, next: 0 })
    return undefined
  }
}

/** Core's own directives receive their command from this package, so they may use all of it. */
export function internals(command: Command): CommandImpl {
  if (!(command instanceof CommandImpl)) throw new TypeError('a core directive was called by a foreign host')
  return command
}
