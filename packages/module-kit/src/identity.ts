import { readFileSync } from 'node:fs'
import type { ModuleCapability } from '@gatewright/api'
import { MODULE_CAPABILITIES } from '@gatewright/api/stamp'
import ts from 'typescript'
import { reachableFiles } from './reachable-files.ts'

/** The names that a module declares, and the package that it imports its API from. */
export interface ModuleIdentity {
  /** Identifier, `greeting_module`. */
  readonly module: string
  /** Source name, `mod_greeting.c`. */
  readonly source: string
  /** The package that `defineModule` is imported from, `@gatewright/api`. */
  readonly specifier: string
  /** What it declares to use beyond the API; absent if it declares nothing. */
  readonly capabilities?: readonly ModuleCapability[]
}

/**
 * Finds the one `defineModule({ name, source, ... })` in the file `entry` and its relative imports by reading
 * the syntax. A module's code is never executed to build it, because it may need a server. Names may be
 * literals or constants of the same file.
 * @throws Error if there is no such call, more than one, or a name that the source does not show
 */
export function readIdentity(entry: string): ModuleIdentity {
  const found: ModuleIdentity[] = []
  for (const file of reachableFiles(entry)) found.push(...identitiesIn(file))
  if (found.length === 0)
    throw new Error(`${entry}: no defineModule({ name: '..._module', source: 'mod_....c' }) found in it or its imports`)
  if (found.length > 1) {
    throw new Error(`${entry}: one file holds one module, but ${found.map((each) => each.module).join(' and ')} are defined`)
  }
  return found[0]
}

function identitiesIn(file: string): ModuleIdentity[] {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('defineModule')) return []
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const imported = importOfDefineModule(tree)
  if (imported === undefined) return []
  const found: ModuleIdentity[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === imported.local) {
      const [definition] = node.arguments
      if (definition === undefined || !ts.isObjectLiteralExpression(definition))
        throw new Error(`${file}: defineModule takes an object literal`)
      found.push({
        module: textOf(definition, 'name', tree),
        source: textOf(definition, 'source', tree),
        specifier: imported.specifier,
        ...capabilitiesOf(definition, tree),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function importOfDefineModule(tree: ts.SourceFile): { local: string; specifier: string } | undefined {
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue
    for (const { propertyName, name } of bindings.elements) {
      if ((propertyName ?? name).text === 'defineModule') return { local: name.text, specifier: statement.moduleSpecifier.text }
    }
  }
  return undefined
}

function textOf(definition: ts.ObjectLiteralExpression, key: string, tree: ts.SourceFile): string {
  for (const property of definition.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name) || property.name.text !== key) continue
    const value = literal(property.initializer, tree)
    if (value !== undefined) return value
  }
  throw new Error(`${tree.fileName}: defineModule needs '${key}' as a string literal, or a constant of this file that is one`)
}

/** @throws Error with the place of a value that is not an array of known names */
function capabilitiesOf(
  definition: ts.ObjectLiteralExpression,
  tree: ts.SourceFile,
): { readonly capabilities?: readonly ModuleCapability[] } {
  const property = definition.properties.find(
    ({ name }) => name !== undefined && ts.isIdentifier(name) && name.text === 'capabilities',
  )
  if (property === undefined) return {}
  const value = ts.isPropertyAssignment(property) ? property.initializer : undefined
  const names = value !== undefined && ts.isArrayLiteralExpression(value) ? value.elements.map(capabilityOf) : [undefined]
  const capabilities = names.filter((name) => name !== undefined)
  if (capabilities.length === names.length) return { capabilities }
  const line = tree.getLineAndCharacterOfPosition(property.getStart(tree)).line + 1
  throw new Error(
    `${tree.fileName}:${line}: 'capabilities' must be an array of string literals of these: ${MODULE_CAPABILITIES.join(', ')}`,
  )
}

function capabilityOf(value: ts.Expression): ModuleCapability | undefined {
  return ts.isStringLiteralLike(value) ? MODULE_CAPABILITIES.find((name) => name === value.text) : undefined
}

function literal(value: ts.Expression, tree: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(value)) return value.text
  if (!ts.isIdentifier(value)) return undefined
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && name.text === value.text && initializer !== undefined) return literal(initializer, tree)
    }
  }
  return undefined
}
