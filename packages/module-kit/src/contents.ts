import { readFileSync } from 'node:fs'
import type { StampedContents } from '@gatewright/api/stamp'
import ts from 'typescript'
import { importedFile, reachableFiles } from './reachable-files.ts'

/**
 * Lists what a module registers, as far as its source shows: the keys of `directives`, every
 * `hooks.NAME.add(...)`, every `providers.GROUP.add('NAME', ...)` and `providers.of(KEY).add('NAME', ...)` in the files of `entry`. Code is never
 * executed to build a module, so computed names remain unknown, and the list says that it may be incomplete.
 */
export function readContents(entry: string): StampedContents {
  const sources = new Sources(reachableFiles(entry))
  const reader = new Reader(sources)
  for (const tree of sources.trees()) reader.read(tree)
  return reader.contents()
}

class Reader {
  readonly #sources: Sources
  readonly #directives = new Set<string>()
  readonly #hooks = new Set<string>()
  readonly #providers = new Set<string>()
  readonly #more = new Set<'directives' | 'hooks' | 'providers'>()

  constructor(sources: Sources) {
    this.#sources = sources
  }

  contents(): StampedContents {
    const more = (['directives', 'hooks', 'providers'] as const).filter((kind) => this.#more.has(kind))
    return { directives: [...this.#directives], hooks: [...this.#hooks], providers: [...this.#providers], more }
  }

  read(node: ts.Node): void {
    if (ts.isCallExpression(node)) this.#readCall(node)
    // hooks[name]: the name of the hook is unknown.
    if (ts.isElementAccessExpression(node) && lastName(node.expression) === 'hooks') this.#more.add('hooks')
    ts.forEachChild(node, (child) => this.read(child))
  }

  #readCall(call: ts.CallExpression): void {
    const {
      expression,
      arguments: [first],
    } = call
    if (ts.isIdentifier(expression) && expression.text === 'defineModule') this.#readDefinition(first)
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'add') return
    const added = expression.expression
    const group = ts.isIdentifier(added) ? (localConstant(added) ?? this.#sources.valueOf(added)) : added
    if (group !== undefined && ts.isCallExpression(group)) this.#readOwnGroup(group, first)
    if (!ts.isPropertyAccessExpression(added)) return
    const registry = lastName(added.expression)
    if (registry === 'hooks') this.#hooks.add(added.name.text)
    if (registry === 'providers') this.#addProvider(added.name.text, first)
  }

  #addProvider(group: string, name: ts.Expression | undefined): void {
    const text = name === undefined ? undefined : this.#sources.textOf(name)
    if (text === undefined) this.#more.add('providers')
    else this.#providers.add(`${group} ${text}`)
  }

  /** `providers.of(KEY).add('NAME', ...)`, also by way of a constant, where KEY is the result of `providerGroup('module:group', ...)`. */
  #readOwnGroup({ expression, arguments: [key] }: ts.CallExpression, name: ts.Expression | undefined): void {
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'of') return
    if (lastName(expression.expression) !== 'providers') return
    const made = key === undefined ? undefined : this.#sources.valueOf(key)
    const isGroup = made !== undefined && ts.isCallExpression(made) && lastName(made.expression) === 'providerGroup'
    const group = isGroup && made.arguments[0] !== undefined ? this.#sources.textOf(made.arguments[0]) : undefined
    if (group === undefined) this.#more.add('providers')
    else this.#addProvider(group, name)
  }

  #readDefinition(definition: ts.Expression | undefined): void {
    if (definition === undefined || !ts.isObjectLiteralExpression(definition)) return
    for (const property of definition.properties) {
      if (property.name === undefined || nameText(property.name) !== 'directives') continue
      if (ts.isPropertyAssignment(property)) this.#readTable(property.initializer)
      else if (ts.isShorthandPropertyAssignment(property)) this.#readTable(property.name)
    }
  }

  #readTable(table: ts.Expression): void {
    const value = this.#sources.valueOf(table)
    if (value === undefined || !ts.isObjectLiteralExpression(value)) {
      this.#more.add('directives')
      return
    }
    for (const property of value.properties) {
      if (ts.isSpreadAssignment(property)) {
        this.#readTable(property.expression)
        continue
      }
      const name = nameText(property.name)
      if (name === undefined) this.#more.add('directives')
      else this.#directives.add(name)
    }
  }
}

/** The parsed files of a module, which resolve the names in them. */
class Sources {
  readonly #trees: ReadonlyMap<string, ts.SourceFile>

  constructor(files: readonly string[]) {
    const parse = (file: string): ts.SourceFile =>
      ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    this.#trees = new Map(files.map((file) => [file, parse(file)]))
  }

  trees(): Iterable<ts.SourceFile> {
    return this.#trees.values()
  }

  /** The value of an expression after resolving constants of its own file or imported from another. */
  valueOf(expression: ts.Expression): ts.Expression | undefined {
    const bare = unwrapped(expression)
    if (!ts.isIdentifier(bare)) return bare
    const tree = bare.getSourceFile()
    const initializer = constant(tree, bare.text)
    if (initializer !== undefined) return this.valueOf(initializer)
    const imported = importOf(tree, bare.text)
    const from = imported === undefined ? undefined : importedFile(tree.fileName, imported.specifier)
    const other = from === undefined ? undefined : this.#trees.get(from)
    const exported = other === undefined || imported === undefined ? undefined : constant(other, imported.name)
    return exported === undefined ? undefined : this.valueOf(exported)
  }

  textOf(expression: ts.Expression): string | undefined {
    const value = this.valueOf(expression)
    return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined
  }
}

/** The value of a constant of a function around its use. */
function localConstant(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name.parent; !ts.isSourceFile(scope); scope = scope.parent) {
    if (!ts.isBlock(scope)) continue
    const declared = scope.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((one) => ts.isIdentifier(one.name) && one.name.text === name.text)
    if (declared !== undefined) return declared.initializer
  }
  return undefined
}

/** Strips parentheses and type assertions. */
function unwrapped(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression)
    ? unwrapped(expression.expression)
    : expression
}

/** `hooks` for both `hooks` and `host.hooks`. */
function lastName(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined
}

function nameText(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined
}

function constant(tree: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue
    for (const declaration of statement.declarationList.declarations)
      if (ts.isIdentifier(declaration.name) && declaration.name.text === name) return declaration.initializer
  }
  return undefined
}

function importOf(tree: ts.SourceFile, local: string): { readonly specifier: string; readonly name: string } | undefined {
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue
    for (const { propertyName, name } of bindings.elements)
      if (name.text === local) return { specifier: statement.moduleSpecifier.text, name: (propertyName ?? name).text }
  }
  return undefined
}
