import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'
import type { SourceDiagnostic } from './diagnostic.ts'
import { countsInJavaScript, isJavaScript } from './javascript.ts'
import { OwnTypes } from './own-types.ts'
import { untypedUses } from './untyped-uses.ts'

const CANNOT_FIND_MODULE = 2307

/** The parts of a module to check, and the packages to check them against. */
export interface CheckOptions {
  /** Source files; files that they import by relative path are also checked. */
  readonly files: readonly string[]
  /**
   * Packages by name, each with its folder or its file of declarations: `@gatewright/api` ->
   * `PREFIX/include/@gatewright/api`. They take precedence over any `node_modules`, so a module is checked
   * against this server and not against the version that its author has installed.
   */
  readonly packages?: Readonly<Record<string, string>>
  /**
   * Folders that contain Node's type declarations, `.../node_modules/@types`; if absent, TypeScript searches
   * for them from the source files.
   */
  readonly typeRoots?: readonly string[]
}

/**
 * Type-checks a module's sources as `tsc --strict` does and returns problems in the order of files and lines.
 * JavaScript is checked only for its use of the API. Names from the former line of the API are reported even
 * if the type checker accepts them because a value has the type `any`. Nothing is written, and no code of the
 * module runs. Declarations in `node_modules` are not checked.
 */
export function checkSources(options: CheckOptions): readonly SourceDiagnostic[] {
  return new SourceChecker().check(options)
}

/**
 * Checks repeatedly, as {@link checkSources} does. Declarations do not change between checks and are read
 * once.
 */
export class SourceChecker {
  readonly #declarations = new Map<string, ts.SourceFile>()

  check(options: CheckOptions): readonly SourceDiagnostic[] {
    const files = options.files.map((file) => resolve(file))
    const settings = compilerOptions(files, options)
    const program = ts.createProgram({ rootNames: files, options: settings, host: this.#host(settings) })
    const types = new OwnTypes(program.getTypeChecker(), Object.values(options.packages ?? {}))
    const found = ts.getPreEmitDiagnostics(program)
    const unresolved = new Set(found.filter(isMissingApi).map(({ file }) => file))
    const counted = found.filter(
      (one) => one.file === undefined || !isJavaScript(one.file.fileName) || countsInJavaScript(one, described(one), types),
    )
    const known = counted.map(described)
    for (const file of program.getSourceFiles()) {
      // Without the API everything has the type any, so report only the missing package.
      if (file.isDeclarationFile || unresolved.has(file) || !types.isOwnFile(file, program)) continue
      const reported = new Set(counted.flatMap((one) => (one.file === file ? [one.start] : [])))
      for (const { node, ...use } of untypedUses(file, types))
        if (!reported.has(node.getStart(file))) known.push({ ...placeOf(file, node.getStart(file)), ...use })
    }
    return known.sort(byPlace)
  }

  #host(settings: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(settings)
    const read = host.getSourceFile
    host.getSourceFile = (name, ...rest) => {
      const known = this.#declarations.get(name)
      if (known !== undefined) return known
      const file = read(name, ...rest)
      if (file?.isDeclarationFile === true) this.#declarations.set(name, file)
      return file
    }
    return host
  }
}

function compilerOptions(files: readonly string[], { packages = {}, typeRoots }: CheckOptions): ts.CompilerOptions {
  const paths = Object.entries(packages).flatMap(([name, place]): [string, string[]][] => [
    [name, [resolve(place)]],
    // `@gatewright/api/text` is the file or folder of that name in the package.
    [`${name}/*`, [`${folderOf(resolve(place))}/*`]],
  ])
  return {
    strict: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    // Modules are bundled, so names are resolved as the bundler resolves them.
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    isolatedModules: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: typeRoots === undefined ? undefined : [...typeRoots],
    paths: Object.fromEntries(paths),
    // Without a configuration file, the search for declarations begins here.
    configFilePath: files.length === 0 ? undefined : `${dirname(files[0])}/tsconfig.json`,
  }
}

function folderOf(place: string): string {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true ? dirname(place) : place
}

function isMissingApi({ code, messageText }: ts.Diagnostic): boolean {
  return code === CANNOT_FIND_MODULE && ts.flattenDiagnosticMessageText(messageText, ' ').includes("'@gatewright/api")
}

function described(found: ts.Diagnostic): SourceDiagnostic {
  const message = ts.flattenDiagnosticMessageText(found.messageText, '\n')
  const place = found.file === undefined ? { file: '', line: 0, column: 0 } : placeOf(found.file, found.start ?? 0)
  return { ...place, code: found.code, message }
}

function placeOf(file: ts.SourceFile, position: number): Pick<SourceDiagnostic, 'file' | 'line' | 'column'> {
  const { line, character } = file.getLineAndCharacterOfPosition(position)
  return { file: file.fileName, line: line + 1, column: character + 1 }
}

function byPlace(a: SourceDiagnostic, b: SourceDiagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}
