import ts from 'typescript'
import type { SourceDiagnostic } from './diagnostic.ts'
import type { OwnTypes } from './own-types.ts'
import { propertyRead } from './property-read.ts'
import { changeBehind } from './upgrade/pointers.ts'

/** True for a file that TypeScript reads as JavaScript. */
export function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file)
}

/** The codes below these are syntax errors. */
const FIRST_OF_TYPES = 2000
/** TypeScript syntax in JavaScript. */
const TYPESCRIPT_ONLY = { first: 8002, last: 8017 }
/** No such module, no such export (also with a suggested name). */
const IMPORTS = new Set([2307, 2305, 2724])
/** No such property, without and with a suggested name. */
const PROPERTIES = new Set([2339, 2551])

/**
 * True for a problem in a JavaScript file that its author must fix: a syntax error, a name that the API does
 * not have, or a change from the 2.2 line. Other diagnostics for a file without annotations are often not
 * errors.
 */
export function countsInJavaScript(found: ts.Diagnostic, described: SourceDiagnostic, types: OwnTypes): boolean {
  const { code, file, start } = found
  if (code < FIRST_OF_TYPES || (code >= TYPESCRIPT_ONLY.first && code <= TYPESCRIPT_ONLY.last)) return true
  const node = file === undefined || start === undefined ? undefined : innermost(file, start, file)
  if (node === undefined) return true
  if (IMPORTS.has(code)) return importedFrom(node).startsWith('@gatewright/')
  const read = propertyRead(node.parent)
  if (PROPERTIES.has(code) && read !== undefined) return types.origin(read) === 'package'
  return changeBehind(described, node) !== undefined
}

function innermost(node: ts.Node, position: number, file: ts.SourceFile): ts.Node | undefined {
  if (position < node.getStart(file) || position >= node.getEnd()) return undefined
  return ts.forEachChild(node, (child) => innermost(child, position, file)) ?? node
}

/** The module named by the import or export that contains a node. */
function importedFrom(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (!ts.isImportDeclaration(at) && !ts.isExportDeclaration(at)) continue
    return at.moduleSpecifier !== undefined && ts.isStringLiteral(at.moduleSpecifier) ? at.moduleSpecifier.text : ''
  }
  return ''
}
