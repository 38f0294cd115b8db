import ts from 'typescript'
import type { TextEdit } from './edits.ts'
import { callAround, hookOf } from './syntax.ts'

/** Rewrites the source at a diagnostic if only one interpretation is possible. */
export type Fix = (node: ts.Node) => TextEdit | undefined

/**
 * `request.connection.remoteIp` means the client that rules and logs use; a hook that does not have a request
 * yet means the peer.
 */
export const clientAddress: Fix = (node) => clientProperty(node.parent, 'useragentAddress', 'remoteAddress')

/** The same for `request.connection.remoteAddr.port`. */
export const clientPort: Fix = (node) => {
  const { parent } = node.parent
  if (!ts.isPropertyAccessExpression(parent) || parent.name.text !== 'port' || parent.expression !== node.parent) return undefined
  const found = clientProperty(node.parent, 'useragentPort', 'remotePort')
  return found === undefined ? undefined : { ...found, end: parent.getEnd() }
}

/** `remoteHost(request.connection)` takes the request itself. */
export const requestInstead: Fix = (node) => {
  const argument = callAround(node)?.call.arguments[0]
  if (argument === undefined || !ts.isPropertyAccessExpression(argument) || argument.name.text !== 'connection') return undefined
  return { start: argument.expression.getEnd(), end: argument.getEnd(), text: '' }
}

export function renamed(text: string): Fix {
  return (node) => (ts.isIdentifier(node) ? { start: node.getStart(), end: node.getEnd(), text } : undefined)
}

/** `add(fn, predecessors, successors, rank)` as `add(fn, { after, before, rank })`. */
export const hookOrder: Fix = (node) => {
  const call = callAround(node)?.call
  if (call === undefined || hookOf(call) === undefined) return undefined
  const [fn, ...order] = call.arguments
  const last = order.at(-1)
  if (fn === undefined || last === undefined || order.length > ORDER_KEYS.length) return undefined
  const between = call.getSourceFile().text.slice(fn.getEnd(), last.getEnd())
  // A comment between the arguments would be lost.
  if (/\/[/*]/.test(between)) return undefined
  const entries = order.flatMap((argument, index) => (isNothing(argument) ? [] : [`${ORDER_KEYS[index]}: ${argument.getText()}`]))
  return entries.length === 0
    ? { start: fn.getEnd(), end: last.getEnd(), text: '' }
    : { start: order[0].getStart(), end: last.getEnd(), text: `{ ${entries.join(', ')} }` }
}

const ORDER_KEYS = ['after', 'before', 'rank'] as const

function isNothing(argument: ts.Expression): boolean {
  return argument.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(argument) && argument.text === 'undefined')
}

/** @param access `...connection.NAME` */
function clientProperty(access: ts.Node, ofRequest: string, ofConnection: string): TextEdit | undefined {
  if (!ts.isPropertyAccessExpression(access)) return undefined
  const { expression: connection, name } = access
  if (ts.isPropertyAccessExpression(connection) && connection.name.text === 'connection')
    return { start: connection.name.getStart(), end: name.getEnd(), text: ofRequest }
  if (ts.isIdentifier(connection) && isNewConnection(connection))
    return { start: name.getStart(), end: name.getEnd(), text: ofConnection }
  return undefined
}

/** True for the parameter of a function in preConnection. */
function isNewConnection(name: ts.Identifier): boolean {
  for (let at: ts.Node = name; at.parent !== undefined; at = at.parent) {
    if (!ts.isArrowFunction(at) && !ts.isFunctionExpression(at)) continue
    if (!at.parameters.some((parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name.text)) continue
    return ts.isCallExpression(at.parent) && hookOf(at.parent) === 'preConnection'
  }
  return false
}
