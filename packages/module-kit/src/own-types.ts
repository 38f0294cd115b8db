import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import ts from 'typescript'
import type { PropertyRead } from './property-read.ts'

/**
 * Type information of a checked program: which types come from the packages that it is checked against, and
 * which are unknown.
 */
export class OwnTypes {
  readonly #checker: ts.TypeChecker
  readonly #folders: readonly string[]

  /** @param packages folders of packages, or their files of declarations */
  constructor(checker: ts.TypeChecker, packages: readonly string[]) {
    this.#checker = checker
    this.#folders = packages.filter((place) => existsSync(place)).map(folderOf)
  }

  /** True for a source of the module itself, not of a package. */
  isOwnFile(file: ts.SourceFile, program: ts.Program): boolean {
    return !program.isSourceFileFromExternalLibrary(file) && !this.#isOfPackages(file)
  }

  isAny(node: ts.Node): boolean {
    return isAnyType(this.#checker.getTypeAtLocation(node))
  }

  /** What is known about the value that a property is read from. */
  origin({ from, pattern }: PropertyRead): 'any' | 'package' | 'other' {
    const type = pattern === undefined ? this.#checker.getTypeAtLocation(from) : this.#patternSource(pattern)
    if (type === undefined || isAnyType(type)) return 'any'
    const parts = type.isUnion() ? type.types : [type]
    return parts.some((part) => this.#isDeclaredByPackages(part)) ? 'package' : 'other'
  }

  /** True if the type of the value does not have such a property. */
  lacks(read: PropertyRead): boolean {
    if (read.pattern !== undefined) return this.#patternSource(read.pattern)?.getProperty(read.name.text) === undefined
    return this.#checker.getSymbolAtLocation(read.name) === undefined
  }

  /** The declarations that a name refers to. */
  declarations(name: ts.Identifier): readonly ts.Declaration[] {
    return this.#checker.getSymbolAtLocation(name)?.declarations ?? []
  }

  /**
   * The type of the value that a pattern destructures; undefined if only the pattern itself determines it.
   */
  #patternSource(pattern: ts.ObjectBindingPattern): ts.Type | undefined {
    const { parent } = pattern
    if (!ts.isBindingElement(parent) && parent.type !== undefined) return this.#checker.getTypeFromTypeNode(parent.type)
    if (ts.isVariableDeclaration(parent) && parent.initializer !== undefined)
      return this.#checker.getTypeAtLocation(parent.initializer)
    const type = this.#checker.getTypeAtLocation(parent)
    // A type that TypeScript inferred from the pattern has properties without declarations.
    return type.getProperties().some(({ declarations }) => declarations !== undefined) ? type : undefined
  }

  #isDeclaredByPackages(type: ts.Type): boolean {
    const declarations = (type.aliasSymbol ?? type.getSymbol())?.declarations ?? []
    return declarations.some((declaration) => this.#isOfPackages(declaration.getSourceFile()))
  }

  #isOfPackages({ fileName }: ts.SourceFile): boolean {
    const file = existsSync(fileName) ? realpathSync(fileName) : fileName
    return this.#folders.some((folder) => file.startsWith(folder + sep))
  }
}

function isAnyType(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0
}

/** The folder of a package given by its folder or its file of declarations, with links resolved. */
function folderOf(place: string): string {
  const path = realpathSync(place)
  return statSync(path).isDirectory() ? path : dirname(path)
}
