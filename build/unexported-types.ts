import { sep } from 'node:path'
import ts from 'typescript'

/**
 * Types that the exports of a package mention and that the package does not export: through them, a user of
 * the package reaches what is not meant for users.
 * @param index the file of the exports
 * @param folder the package's sources, absolute
 * @returns a line for each, `TYPE of FILE, in EXPORT`
 */
export function unexportedTypes(index: string, folder: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([index], { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(index)
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${index} exports nothing`)
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [target(symbol), symbol.name]))
  const found = new Set<string>()
  for (const [symbol, name] of exported)
    for (const declaration of symbol.declarations ?? [])
      if (isOurs(declaration)) for (const named of namesIn(declaration)) check(named, name)
  return [...found].sort()

  function check(named: ts.Node, name: string): void {
    const symbol = checker.getSymbolAtLocation(named)
    if (symbol === undefined) return
    const meant = target(symbol)
    const [declaration] = meant.declarations ?? []
    if (declaration === undefined || !isOurs(declaration) || exported.has(meant) || !isTypeOfModule(declaration)) return
    const file = declaration.getSourceFile().fileName.slice(folder.length + 1)
    found.add(`${meant.name} of ${file}, in ${name}`)
  }

  function target(symbol: ts.Symbol): ts.Symbol {
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
  }

  function isOurs(node: ts.Node): boolean {
    return node.getSourceFile().fileName.startsWith(folder + sep)
  }
}

/** A type that other files can name, unlike a type parameter. */
function isTypeOfModule(node: ts.Node): boolean {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  )
}

/** The names of types in what a declaration shows: no bodies, no values, nothing private. */
function* namesIn(node: ts.Node): Generator<ts.Node, void, void> {
  if (ts.isTypeReferenceNode(node)) yield node.typeName
  else if (ts.isExpressionWithTypeArguments(node)) yield node.expression
  else if (ts.isTypeQueryNode(node)) yield node.exprName
  for (const child of childrenOf(node)) if (isShown(child)) yield* namesIn(child)
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  return children
}

function isShown(node: ts.Node): boolean {
  if (ts.isBlock(node)) return false
  if (ts.isExpression(node) && !ts.isExpressionWithTypeArguments(node)) return false
  if (!ts.isClassElement(node)) return true
  const isPrivate = node.name !== undefined && ts.isPrivateIdentifier(node.name)
  return !isPrivate && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) === 0
}
