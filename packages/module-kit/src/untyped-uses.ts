import { HOOK_RULES } from '@gatewright/api'
import ts from 'typescript'
import type { SourceDiagnostic } from './diagnostic.ts'
import { isFromElsewhere } from './foreign-values.ts'
import type { OwnTypes } from './own-types.ts'
import { type PropertyRead, propertyRead } from './property-read.ts'
import { API_CHANGES } from './upgrade/changes.ts'
import { lastName } from './upgrade/syntax.ts'

/** A use of the 2.2 API that the type checker does not report. */
export interface UntypedUse extends Pick<SourceDiagnostic, 'code' | 'message' | 'row'> {
  readonly node: ts.Node
}

/** Properties that 2.4 does not have: the 2.2 type of each, and its row of UPGRADING.md. */
const GONE: ReadonlyMap<string, { readonly type: string; readonly row: string }> = new Map(
  API_CHANGES.flatMap(({ anchor, gone }) => (gone?.names ?? []).map((name) => [name, { type: gone?.type ?? '', row: anchor }])),
)
/** 2.4 has a property of this name elsewhere (`request.authType`): it belongs to 2.2 only if it is called. */
const ONLY_CALLED = new Set(['authType'])

const NO_PROPERTY = 2339
const WRONG_ARGUMENT = 2345
const WRONG_COUNT = 2554

/**
 * Uses of the 2.2 API on values of type `any`, or after a comment that disables the type checker. A module
 * built with one does not do what its source says, which could be an access rule that no longer applies. A
 * property of that name on any other object is also reported, unless the types or {@link isFromElsewhere}
 * show that it is not the API's.
 */
export function untypedUses(file: ts.SourceFile, types: OwnTypes): UntypedUse[] {
  const uses: UntypedUse[] = []
  const visit = (node: ts.Node): void => {
    const read = propertyRead(node)
    const use = read === undefined ? undefined : goneProperty(read, node, types)
    if (use !== undefined) uses.push(use)
    if (ts.isCallExpression(node)) uses.push(...changedCall(node, types))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return uses
}

function goneProperty(read: PropertyRead, node: ts.Node, types: OwnTypes): UntypedUse | undefined {
  const { name, from } = read
  const gone = GONE.get(name.text)
  if (gone === undefined) return undefined
  const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node
  if (ONLY_CALLED.has(name.text) && !isCalled) return undefined
  // The names of these hooks are common words.
  if (gone.type === 'Hooks' && (read.pattern !== undefined || lastName(from) !== 'hooks')) return undefined
  const origin = types.origin(read)
  if (origin === 'other' || (origin === 'package' && !types.lacks(read))) return undefined
  if (origin === 'any' && isFromElsewhere(read, types)) return undefined
  const message = `'${name.text}' was a property of '${gone.type}' in the 2.2 API, and 2.4 does not have it.`
  return { node: name, code: NO_PROPERTY, row: gone.row, message: origin === 'any' ? `${message} ${advice(name.text)}` : message }
}

function advice(name: string): string {
  return `The type of the object is unknown here (any). If it is not an object of the API, declare its type: { ${name}: ... }, in JavaScript by a comment /** @type {{ ${name}: ... }} */.`
}

/** Calls whose arguments changed in 2.4. */
function changedCall(call: ts.CallExpression, types: OwnTypes): UntypedUse[] {
  const { expression, arguments: given } = call
  if (!ts.isPropertyAccessExpression(expression)) return []
  const [first, second] = given
  if (expression.name.text === 'remoteHost' && first !== undefined && ts.isPropertyAccessExpression(first))
    return first.name.text === 'connection' && types.isAny(expression)
      ? [
          {
            node: first,
            code: WRONG_ARGUMENT,
            row: 'api-remote-host',
            message: 'remoteHost takes the request, not its connection.',
          },
        ]
      : []
  if (expression.name.text !== 'add' || second === undefined) return []
  if (!Object.hasOwn(HOOK_RULES, lastName(expression.expression) ?? '') || !types.isAny(expression)) return []
  const isOrderOf22 = given.length > 2 || ts.isArrayLiteralExpression(second) || second.kind === ts.SyntaxKind.NullKeyword
  const message = 'A hook takes a function and an order, which is an object: { after, before, rank }.'
  return isOrderOf22 ? [{ node: second, code: WRONG_COUNT, row: 'api-hook-order', message }] : []
}
