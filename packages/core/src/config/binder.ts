import type { AnyDirective, DirectivePlace, SetResult } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import { problemOf, problemText } from '../base/problem.ts'
import { programKindOfLine } from '../model/program-lines.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { BoundDirective } from '../modules/registry.ts'
import { applyDirective, isNestedError } from './arguments.ts'
import type { BindContext, BindError, Body } from './bind-context.ts'
import { CommandImpl } from './command-impl.ts'
import { guardSetter } from './guard-setter.ts'
import { hintForUnknown } from './hints.ts'
import { hintForRefusal, type RefusedLine } from './refusal-hints.ts'

/** Applies directives in order, up to the first error. */
export function bindNodes(nodes: readonly ConfigNode[], context: BindContext): BindError | undefined {
  for (const node of nodes) {
    const error = bindNode(node, context)
    if (error !== undefined) return error
  }
  return undefined
}

/**
 * Maximum nesting of containers in files that are read during requests, because each container is merged
 * separately.
 */
const DEEPEST = 1000

/**
 * Like `bindNodes`, but yields the place of each line before it is applied, so that a caller can yield to
 * others. The lines of a container are applied after its handler has returned and before the next line.
 */
export function* bindInSteps(
  nodes: readonly ConfigNode[],
  context: BindContext,
): Generator<DirectivePlace, BindError | undefined, void> {
  const later: Body[] = []
  const open: Body[] = [{ nodes, context: { ...context, later }, next: 0 }]
  for (;;) {
    const body = open[open.length - 1]
    if (body === undefined) return undefined
    const isAtEnd = body.next >= body.nodes.length
    const node = isAtEnd ? body.end?.node : body.nodes[body.next++]
    if (isAtEnd) open.pop()
    if (node === undefined) continue
    yield node
    const error = isAtEnd ? failureAt(node, body.end?.act()) : bindNode(node, body.context)
    if (error !== undefined) return error
    if (open.length + later.length > DEEPEST) {
      return { message: `${node.name}> is nested more than ${DEEPEST} deep`, file: node.file, line: node.line }
    }
    // The section that was postponed first is applied first.
    while (later.length > 0) open.push(...later.splice(-1))
  }
}

function bindNode(node: ConfigNode, context: BindContext): BindError | undefined {
  const found = context.configuration.registry.directive(node.name)
  const at = (message: string, hint?: string): BindError => ({ message, file: node.file, line: node.line, hint })
  if (found === undefined) {
    if (context.grant?.nonfatalUnknown === true) {
      context.configuration.report(
        'core',
        'warn',
        'AH02296',
        `Unknown directive ${node.name.toLowerCase()} perhaps misspelled or defined by a module not included in the server configuration`,
      )
      return undefined
    }
    const message = `Invalid command '${node.name}', perhaps misspelled or defined by a module not included in the server configuration`
    const { registry, options } = context.configuration
    return at(message, hintForUnknown(node.name, { registry, modulesFolder: options.modulesFolder }))
  }
  for (const bound of found) {
    // Reached only if the module was loaded after the line: httpd ignores such lines silently.
    if (bound.spec.readTime === true || bound.spec.kind === 'condition' || bound.spec.kind === 'definition') continue
    const refusal = refusePlace(bound, node, context)
    if (refusal !== undefined) {
      if (context.grant?.nonfatalOverride === true) {
        reportForbidden(context.configuration, bound.name)
        // As in httpd, the module still has a configuration of this file: without a merge function, it
        // replaces that of the folders above.
        if (bound.spec.scope === 'directory') context.section.slot(bound.owner)
        continue
      }
      return at(refusal, hintForRefusal({ message: refusal, bound, node, context }))
    }
    const command = new CommandImpl(bound, node, context)
    const result = guardSetter(bound, () => {
      const config = bound.spec.scope === 'directory' ? context.section.slot(bound.owner) : context.server.slot(bound.owner)
      return applyDirective(inItsServer(bound, context), bound.name, config, node.text, command)
    })
    if (result === undefined) {
      if (context.grant === null) note(bound, node, context)
      continue
    }
    return withHint(failureAt(node, result), { bound, node, context })
  }
  return undefined
}

/** Warns of a line of a .htaccess file that AllowOverride with Nonfatal=Override or Nonfatal=All passes over. */
export function reportForbidden(configuration: ServerConfiguration, directive: string): void {
  configuration.report('core', 'warn', 'AH02295', `${directive} in .htaccess forbidden by AllowOverride`)
}

/** An error of a line itself gets advice if its module gives none. */
function withHint(error: BindError | undefined, line: Omit<RefusedLine, 'message'>): BindError | undefined {
  if (error === undefined || error.hint !== undefined || error.line !== line.node.line || error.file !== line.node.file)
    return error
  const hint = hintForRefusal({ message: error.message, ...line })
  return hint === undefined ? error : { ...error, hint }
}

/** The error of a handler, with the place of its own line unless the error has the place of a nested one. */
function failureAt({ file, line }: ConfigNode, result: SetResult): BindError | undefined {
  if (result === undefined) return undefined
  if (isNestedError(result)) return result
  const problem = problemOf(result)
  return { message: problemText(problem), file, line, ...problem.place, hint: problem.hint }
}

/** Collects the warnings about lines of the server files. */
function note({ name, spec }: BoundDirective, node: ConfigNode, { configuration }: BindContext): void {
  if (spec.effect === 'none') configuration.noteWithoutEffect(name, node)
  if (TYPOGRAPHIC_QUOTE.test(node.text)) configuration.typographicQuotes.push(`${node.file}:${node.line}`)
  const kind = programKindOfLine(name, node.text)
  if (kind !== undefined)
    configuration.programLines.push({ kind, text: `${node.name} ${node.text.trim()}`, file: node.file, line: node.line })
}

/** The bytes of the six quotation marks that word processors write instead of `"` and `'`. */
const TYPOGRAPHIC_QUOTE = /\xe2\x80[\x98-\x9a\x9c-\x9e]/

/** Why a directive is not allowed in its context, or undefined. */
function refusePlace(bound: BoundDirective, node: ConfigNode, context: BindContext): string | undefined {
  const listed = context.overrideList?.has(bound.name.toLowerCase()) === true
  if ((bound.required & context.offers) === 0 && !listed) {
    const parent = node.parent
    return parent === null ? `${bound.name} not allowed here` : `${bound.name} not allowed in ${parent.name}> context`
  }
  return undefined
}

/** The directive, which refuses its line if it is in a virtual host and must not be: as in httpd, after its words are checked. */
function inItsServer({ name, spec }: BoundDirective, { server, grant }: BindContext): AnyDirective {
  const { context: places } = spec
  if (!server.isVirtual || grant !== null || !places.includes('server') || places.includes('virtualhost')) return spec
  const message = `${name}${name.startsWith('<') ? '>' : ''} cannot occur within <VirtualHost> section`
  const refuse = (): string => message
  return spec.scope === 'directory' ? { ...spec, setDirectory: refuse } : { ...spec, setServer: refuse }
}
