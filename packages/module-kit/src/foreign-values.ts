import ts from 'typescript'
import type { OwnTypes } from './own-types.ts'
import type { PropertyRead } from './property-read.ts'

/**
 * True if a property is read from a value that has the type `any` but does not come from the API: the exports
 * of an npm package without types (`semver.satisfies`), or the result of `JSON.parse`, directly or through a
 * `const`.
 */
export function isFromElsewhere({ from, pattern }: PropertyRead, types: OwnTypes): boolean {
  const source = pattern === undefined ? from : initializerOf(pattern.parent)
  return source !== undefined && isForeign(source, types)
}

function isForeign(value: ts.Expression, types: OwnTypes): boolean {
  if (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value)) return isForeign(value.expression, types)
  if (
    ts.isParenthesizedExpression(value) ||
    ts.isAwaitExpression(value) ||
    ts.isAsExpression(value) ||
    ts.isNonNullExpression(value)
  )
    return isForeign(value.expression, types)
  if (ts.isCallExpression(value)) return value.expression.getText() === 'JSON.parse'
  if (!ts.isIdentifier(value)) return false
  const declarations = types.declarations(value)
  return declarations.length > 0 && declarations.every((declaration) => isForeignDeclaration(declaration, types))
}

function isForeignDeclaration(declaration: ts.Declaration, types: OwnTypes): boolean {
  const whole = ts.isBindingElement(declaration) ? ts.walkUpBindingElementsAndPatterns(declaration) : declaration
  if (ts.isVariableDeclaration(whole)) {
    const initializer = initializerOf(whole)
    return initializer !== undefined && isForeign(initializer, types)
  }
  for (let at: ts.Node = declaration; at.parent !== undefined; at = at.parent)
    if (ts.isImportDeclaration(at)) return ts.isStringLiteral(at.moduleSpecifier) && isOtherPackage(at.moduleSpecifier.text)
  return false
}

/** What a `const` is, for as long as it lives. */
function initializerOf(declaration: ts.Node): ts.Expression | undefined {
  if (!ts.isVariableDeclaration(declaration)) return undefined
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
  return isConst ? declaration.initializer : undefined
}

function isOtherPackage(specifier: string): boolean {
  return !/^(\.|\/|#|@gatewright\/)/.test(specifier)
}
