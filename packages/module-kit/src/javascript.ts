import ts from 'typescript'
import type { SourceDiagnostic } from './diagnostic.ts'
import type { OwnTypes } from './own-types.ts'
import { propertyRead } from './property-read.ts'
import { changeBehind } from './upgrade/pointers.ts'

/** True for a file that TypeScript reads as JavaScript. */
export function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file)
}

/** Codes below are those of the syntax. */
const FIRST_OF_TYPES = 2000
/** Syntax of TypeScript in JavaScript. */
const TYPESCRIPT_ONLY = { first: 8002, last: 8017 }
/** No such module, no such export (also with the offer of another name). */
const IMPORTS = new Set([2307, 2305, 2724])
/** No such property, without and with the offer of another name. */
const PROPERTIES = new Set([2339, 2551])

/**
 * True for a problem of a JavaScript file that its author has to mend: one of the syntax, of a name that the API does not have, or of the change from the 2.2 line.
 * What else TypeScript says about a file without annotations is often no mistake.
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

/** The module that the import or export around a node names. */
function importedFrom(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (!ts.isImportDeclaration(at) && !ts.isExportDeclaration(at)) continue
    return at.moduleSpecifier !== undefined && ts.isStringLiteral(at.moduleSpecifier) ? at.moduleSpecifier.text : ''
  }
  return ''
}
