import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Marks an interface whose objects modules create: a new required member breaks these modules. */
export const SUPPLIED_TAG = 'suppliedByModules'

/** Constants whose value may change without a change of the surface. */
const NEWS: readonly string[] = ['API_VERSION', 'HTTPD_VERSION']

/**
 * The exported declarations of entry files and everything that they use, without comments and bodies, by
 * name.
 * @param read the text of a source file
 * @param files files parsed before, by their text, for repeated calls
 */
export function surfaceOf(
  entries: readonly string[],
  read: (file: string) => string = readText,
  files: Map<string, DeclarationFile> = new Map(),
): string {
  const fileOf = declarationReader(read, files)
  const shown = new Map<string, Shown>()
  const show = (name: string, path: string, exported: boolean): void => {
    const file = fileOf(path)
    const found = file.declarations.get(name)
    if (found === undefined) {
      const origin = file.imports.get(name)
      if (origin !== undefined) show(name, origin, exported)
      return
    }
    const known = shown.get(name)
    if (known !== undefined && known.path !== path)
      throw new Error(`two declarations of one name: ${name} in ${known.path} and ${path}`)
    if (known !== undefined) return
    shown.set(name, { path, exported, nodes: found, source: file.source })
    for (const node of found) for (const used of identifiersIn(node)) if (used !== name) show(used, path, exportedNames.has(used))
  }
  const exported = entries.flatMap((entry) => exportsOf(entry, fileOf))
  const exportedNames = new Set(exported.map(({ name }) => name))
  for (const { name, path } of exported) show(name, path, true)
  return [...shown]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => print(each))
    .join('\n')
}

/** The names that an entry file exports, sorted. Parameters as those of {@link surfaceOf}. */
export function namesExportedBy(
  entry: string,
  read: (file: string) => string = readText,
  files: Map<string, DeclarationFile> = new Map(),
): readonly string[] {
  return exportsOf(entry, declarationReader(read, files))
    .map(({ name }) => name)
    .sort()
}

/** A name that an entry file exports, with its declarations. */
export interface DeclaredName {
  readonly name: string
  /** All overloads of a function. */
  readonly nodes: readonly ts.Statement[]
  readonly source: ts.SourceFile
}

/** The names that an entry file exports, with their declarations and comments. @param files as that of {@link surfaceOf} */
export function declarationsOf(entry: string, files: Map<string, DeclarationFile> = new Map()): DeclaredName[] {
  const fileOf = declarationReader(readText, files)
  return exportsOf(entry, fileOf).flatMap(({ name, path }) => {
    const { declarations, source } = fileOf(path)
    const nodes = declarations.get(name)
    return nodes === undefined ? [] : [{ name, nodes, source }]
  })
}

type DeclarationReader = (path: string) => DeclarationFile

function declarationReader(read: (file: string) => string, files: Map<string, DeclarationFile>): DeclarationReader {
  return (path) => {
    const text = read(path)
    const known = files.get(text)
    if (known !== undefined) return known
    const file = readDeclarations(path, text)
    files.set(text, file)
    return file
  }
}

interface Shown {
  readonly path: string
  readonly exported: boolean
  readonly nodes: readonly ts.Statement[]
  readonly source: ts.SourceFile
}

/** The declarations of one source file. */
export interface DeclarationFile {
  readonly source: ts.SourceFile
  /** All overloads of a function under one name. */
  readonly declarations: ReadonlyMap<string, ts.Statement[]>
  /** The files of imported names. */
  readonly imports: ReadonlyMap<string, string>
  readonly exports: readonly { readonly name: string; readonly path: string }[]
  /** Files whose exports are all exported here too. */
  readonly passedOn: readonly string[]
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function readDeclarations(path: string, text: string): DeclarationFile {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ES2024, isolatedDeclarations: true, allowImportingTsExtensions: true },
  })
  const [mistake] = diagnostics
  if (mistake !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(mistake.messageText, '\n')}`)
  const source = ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2024, true, ts.ScriptKind.TS)
  const declarations = new Map<string, ts.Statement[]>()
  const imports = new Map<string, string>()
  const exports: { name: string; path: string }[] = []
  const passedOn: string[] = []
  for (const statement of source.statements) {
    const from = originOf(statement, path)
    if (ts.isImportDeclaration(statement)) {
      const { namedBindings } = statement.importClause ?? {}
      if (from !== null && namedBindings !== undefined && ts.isNamedImports(namedBindings))
        for (const { name } of namedBindings.elements) imports.set(name.text, from)
    } else if (ts.isExportDeclaration(statement)) {
      if (from !== null && statement.exportClause === undefined) passedOn.push(from)
      if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
        for (const { name } of statement.exportClause.elements) exports.push({ name: name.text, path: from ?? path })
    } else {
      for (const name of namesOf(statement)) {
        declarations.set(name, [...(declarations.get(name) ?? []), statement])
        if (isExported(statement) && !exports.some((one) => one.name === name)) exports.push({ name, path })
      }
    }
  }
  return { source, declarations, imports, exports, passedOn }
}

/** The file of ours that an import or export names. */
function originOf(statement: ts.Statement, path: string): string | null {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return null
  const { moduleSpecifier } = statement
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.')) return null
  return join(dirname(path), moduleSpecifier.text)
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''))
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

/** The names that a file exports, each with the file that declares or imports it. */
function exportsOf(path: string, fileOf: DeclarationReader): { name: string; path: string }[] {
  const { exports, passedOn } = fileOf(path)
  const own = exports.map((one) => {
    const origin = one.path === path ? undefined : exportsOf(one.path, fileOf).find(({ name }) => name === one.name)
    return origin ?? one
  })
  return [...own, ...passedOn.flatMap((one) => exportsOf(one, fileOf))]
}

function identifiersIn(node: ts.Node): Set<string> {
  const found = new Set<string>()
  const visit = (one: ts.Node): void => {
    if (ts.isIdentifier(one)) found.add(one.text)
    // Private members do not belong to the surface.
    if (!isPrivate(one)) ts.forEachChild(one, visit)
  }
  visit(node)
  return found
}

function isPrivate(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false
  return (
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0 ||
    (node.name !== undefined && ts.isPrivateIdentifier(node.name))
  )
}

const PRINTER = ts.createPrinter({ removeComments: true })

function print({ nodes, source, exported }: Shown): string {
  return nodes
    .map((node) => {
      const supplied = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === SUPPLIED_TAG)
      const text = PRINTER.printNode(ts.EmitHint.Unspecified, withoutPrivates(withoutNews(node)), source).replace(/^export /, '')
      const indented = text.replaceAll(/^ +/gm, (blanks) => ' '.repeat(blanks.length / 2))
      return `${supplied ? `/** @${SUPPLIED_TAG} */\n` : ''}${exported ? 'export ' : ''}${indented}\n`
    })
    .join('')
}

function withoutPrivates(node: ts.Statement): ts.Statement {
  if (!ts.isClassDeclaration(node)) return node
  const { modifiers, name, typeParameters, heritageClauses, members } = node
  const visible = members.filter((member) => !isPrivate(member))
  return ts.factory.updateClassDeclaration(node, modifiers, name, typeParameters, heritageClauses, visible)
}

function withoutNews(node: ts.Statement): ts.Statement {
  if (!ts.isVariableStatement(node) || !NEWS.includes(namesOf(node)[0])) return node
  const [declaration] = node.declarationList.declarations
  const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
  const declarations = [ts.factory.updateVariableDeclaration(declaration, declaration.name, undefined, text, undefined)]
  return ts.factory.updateVariableStatement(
    node,
    node.modifiers,
    ts.factory.updateVariableDeclarationList(node.declarationList, declarations),
  )
}
