import ts from 'typescript'

/** A property that is read by a literal name. */
export interface PropertyRead {
  readonly name: ts.Identifier | ts.StringLiteralLike
  /** The value that it is read from; in a pattern, the name itself. */
  readonly from: ts.Expression
  /** The destructuring pattern, such as `{ NAME }` in a parameter. */
  readonly pattern?: ts.ObjectBindingPattern
}

/** The property that a node reads: of `a.b`, `a['b']` and `{ b } = a`. */
export function propertyRead(node: ts.Node): PropertyRead | undefined {
  if (ts.isPropertyAccessExpression(node))
    return ts.isIdentifier(node.name) ? { name: node.name, from: node.expression } : undefined
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) ? { name: node.argumentExpression, from: node.expression } : undefined
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined
  const name = node.propertyName ?? node.name
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? { name, from: name, pattern: node.parent } : undefined
}
