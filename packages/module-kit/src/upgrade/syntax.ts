import ts from 'typescript'
import type { SourceDiagnostic } from '../diagnostic.ts'

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

/** The innermost node at the position of a diagnostic; undefined if the text has changed since. */
export function nodeAt(tree: ts.SourceFile, { line, column }: SourceDiagnostic): ts.Node | undefined {
  const starts = tree.getLineStarts()
  if (line < 1 || line > starts.length) return undefined
  return innermost(tree, starts[line - 1] + column - 1)
}

function innermost(node: ts.Node, position: number): ts.Node | undefined {
  if (position < node.getStart() || position >= node.getEnd()) return undefined
  return ts.forEachChild(node, (child) => innermost(child, position)) ?? node
}

/** The nearest call that contains a node, with the last name of the called function. */
export function callAround(node: ts.Node): { readonly call: ts.CallExpression; readonly name: string } | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (!ts.isCallExpression(at)) continue
    const name = lastName(at.expression)
    return name === undefined ? undefined : { call: at, name }
  }
  return undefined
}

/** `b` of `a.b` and of `b`. */
export function lastName(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined
}

/** The name of the hook if a call is `hooks.NAME.add(...)`. */
export function hookOf(call: ts.CallExpression): string | undefined {
  const { expression } = call
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'add') return undefined
  const hook = expression.expression
  return ts.isPropertyAccessExpression(hook) && lastName(hook.expression) === 'hooks' ? hook.name.text : undefined
}

/** The top-level statement that contains a node. */
export function statementOf(node: ts.Node): ts.Node {
  let at = node
  while (at.parent !== undefined && !ts.isSourceFile(at.parent)) at = at.parent
  return at
}
