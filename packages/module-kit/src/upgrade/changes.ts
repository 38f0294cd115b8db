import ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { clientAddress, clientPort, type Fix, hookOrder, renamed, requestInstead } from './fixes.ts'
import { callAround, hookOf } from './syntax.ts'

/** A difference between the 2.2 line and the 2.4 line. */
export interface ApiChange {
  /** The section of UPGRADING.md that explains what to do. */
  readonly anchor: string
  /** Properties that 2.4 does not have, and the type that had them. */
  readonly gone?: GoneNames
  /** True if this change causes a diagnostic. @param node the node at its position */
  causes(diagnostic: SourceDiagnostic, node: ts.Node): boolean
  /** Absent if the author must decide. */
  readonly fix?: Fix
}

/** Properties of a 2.2 type that 2.4 does not have under these names. */
export interface GoneNames {
  readonly type: string
  readonly names: readonly string[]
}

/** The name of the former line's package if both lines are installed. */
export const FORMER_PACKAGE = '@gatewright/api-2.2'

/** Every change that stops a module of the 2.2 line from building, in the order of UPGRADING.md. */
export const API_CHANGES: readonly ApiChange[] = [
  {
    anchor: 'api-package',
    causes: ({ code, message }) => code === CANNOT_FIND_MODULE && message.includes(FORMER_PACKAGE),
    fix: (node) =>
      ts.isStringLiteral(node) ? { start: node.getStart() + 1, end: node.getEnd() - 1, text: '@gatewright/api' } : undefined,
  },
  { anchor: 'api-client-address', ...gone('Connection', ['remoteIp']), fix: clientAddress },
  { anchor: 'api-client-port', ...gone('Connection', ['remoteAddr'], noExport('SocketAddress')), fix: clientPort },
  {
    anchor: 'api-remote-host',
    causes: ({ code }, node) => code === WRONG_ARGUMENT && callAround(node)?.name === 'remoteHost',
    fix: requestInstead,
  },
  { anchor: 'api-require-lines', ...gone('Request', ['requires'], noExport('RequireLine')) },
  { anchor: 'api-some-auth-required', ...gone('Request', ['someAuthRequired']) },
  { anchor: 'api-auth-functions', ...gone('HostServices', ['authType', 'authName', 'satisfies']) },
  { anchor: 'api-note-auth-failure', ...gone('Request', ['noteBasicAuthFailure']) },
  { anchor: 'api-default-type', ...gone('Request', ['defaultType']) },
  { anchor: 'api-server-version', ...gone('HostServices', ['serverVersion']), fix: renamed('serverBanner') },
  {
    anchor: 'api-process-model',
    ...gone('HostServices', ['gracefulStopSignalled', 'maxDaemonsLimit', 'threadsPerChild', 'myGeneration']),
  },
  { anchor: 'api-loglevel', ...gone('Server', ['loglevel']) },
  { anchor: 'api-getline', ...gone('Command', ['cfgGetline']) },
  {
    anchor: 'api-hook-order',
    causes: ({ code }, node) => {
      const found = callAround(node)
      return ORDER_CODES.has(code) && found !== undefined && hookOf(found.call) !== undefined && isOrder(node, found.call)
    },
    fix: hookOrder,
  },
  { anchor: 'api-gone-hooks', ...gone('Hooks', ['monitor', 'errorLog'], noExport('ErrorLogHook')) },
]

const CANNOT_FIND_MODULE = 2307
const WRONG_ARGUMENT = 2345
/** No such property, without and with a suggested name. */
const NO_PROPERTY = new Set([2339, 2551])
/** No such export, without and with a suggested name. */
const NO_EXPORT = new Set([2305, 2724])
/** Wrong argument, wrong number of arguments, nothing in common, and null for an object. */
const ORDER_CODES = new Set([WRONG_ARGUMENT, 2554, 2559, 2353])

type Cause = ApiChange['causes']

/** @param orElse another cause of the same change */
function gone(type: string, names: readonly string[], orElse: Cause = () => false): Pick<ApiChange, 'gone' | 'causes'> {
  const isGone = ({ code, message }: SourceDiagnostic): boolean =>
    NO_PROPERTY.has(code) && names.some((name) => message.startsWith(`Property '${name}' does not exist on type '${type}`))
  return { gone: { type, names }, causes: (diagnostic, node) => isGone(diagnostic) || orElse(diagnostic, node) }
}

function noExport(name: string): Cause {
  return ({ code, message }) => NO_EXPORT.has(code) && message.includes(`'${name}'`)
}

/**
 * True for an argument after the function, or for the call itself, where TypeScript reports too many
 * arguments.
 */
function isOrder(node: ts.Node, call: ts.CallExpression): boolean {
  const [fn] = call.arguments
  return fn === undefined || node.getStart() >= fn.getEnd() || node.getEnd() <= call.expression.getEnd()
}
