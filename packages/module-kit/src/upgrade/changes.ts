import ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'
import { clientAddress, clientPort, type Fix, hookOrder, renamed, requestInstead } from './fixes.ts'
import { callAround, hookOf } from './syntax.ts'

/** Something that is not in the 2.4 line as it was in 2.2. */
export interface ApiChange {
  /** Where UPGRADING.md says what to do. */
  readonly anchor: string
  /** True when a diagnostic comes from this change. @param node what stands at its place */
  causes(diagnostic: SourceDiagnostic, node: ts.Node): boolean
  /** Absent when somebody has to think about it. */
  readonly fix?: Fix
}

/** What the package of the former line is called where both lines are installed. */
export const FORMER_PACKAGE = '@gatewright/api-2.2'

/** Every change that stops a module of the 2.2 line from building, in the order of UPGRADING.md. */
export const API_CHANGES: readonly ApiChange[] = [
  {
    anchor: 'api-package',
    causes: ({ code, message }) => code === CANNOT_FIND_MODULE && message.includes(FORMER_PACKAGE),
    fix: (node) =>
      ts.isStringLiteral(node) ? { start: node.getStart() + 1, end: node.getEnd() - 1, text: '@gatewright/api' } : undefined,
  },
  { anchor: 'api-client-address', causes: gone('Connection', 'remoteIp'), fix: clientAddress },
  { anchor: 'api-client-port', causes: either(gone('Connection', 'remoteAddr'), noExport('SocketAddress')), fix: clientPort },
  {
    anchor: 'api-remote-host',
    causes: ({ code }, node) => code === WRONG_ARGUMENT && callAround(node)?.name === 'remoteHost',
    fix: requestInstead,
  },
  { anchor: 'api-require-lines', causes: either(gone('Request', 'requires'), noExport('RequireLine')) },
  { anchor: 'api-some-auth-required', causes: gone('Request', 'someAuthRequired') },
  { anchor: 'api-auth-functions', causes: gone('HostServices', 'authType', 'authName', 'satisfies') },
  { anchor: 'api-note-auth-failure', causes: gone('Request', 'noteBasicAuthFailure') },
  { anchor: 'api-default-type', causes: gone('Request', 'defaultType') },
  { anchor: 'api-server-version', causes: gone('HostServices', 'serverVersion'), fix: renamed('serverBanner') },
  {
    anchor: 'api-process-model',
    causes: gone('HostServices', 'gracefulStopSignalled', 'maxDaemonsLimit', 'threadsPerChild', 'myGeneration'),
  },
  { anchor: 'api-loglevel', causes: gone('Server', 'loglevel') },
  { anchor: 'api-getline', causes: gone('Command', 'cfgGetline') },
  {
    anchor: 'api-hook-order',
    causes: ({ code }, node) => {
      const found = callAround(node)
      return ORDER_CODES.has(code) && found !== undefined && hookOf(found.call) !== undefined && isOrder(node, found.call)
    },
    fix: hookOrder,
  },
  { anchor: 'api-gone-hooks', causes: either(gone('Hooks', 'monitor', 'errorLog'), noExport('ErrorLogHook')) },
]

const CANNOT_FIND_MODULE = 2307
const WRONG_ARGUMENT = 2345
/** No such property, without and with the offer of another name. */
const NO_PROPERTY = new Set([2339, 2551])
/** No such export, without and with the offer of another name. */
const NO_EXPORT = new Set([2305, 2724])
/** Wrong argument, wrong number of arguments, nothing in common, and null for an object. */
const ORDER_CODES = new Set([WRONG_ARGUMENT, 2554, 2559, 2353])

type Cause = ApiChange['causes']

function gone(type: string, ...names: readonly string[]): Cause {
  return ({ code, message }) =>
    NO_PROPERTY.has(code) && names.some((name) => message.startsWith(`Property '${name}' does not exist on type '${type}`))
}

function noExport(name: string): Cause {
  return ({ code, message }) => NO_EXPORT.has(code) && message.includes(`'${name}'`)
}

function either(...causes: readonly Cause[]): Cause {
  return (diagnostic, node) => causes.some((cause) => cause(diagnostic, node))
}

/** True for an argument behind the function, or the call itself, which is where too many arguments are told. */
function isOrder(node: ts.Node, call: ts.CallExpression): boolean {
  const [fn] = call.arguments
  return fn === undefined || node.getStart() >= fn.getEnd() || node.getEnd() <= call.expression.getEnd()
}
