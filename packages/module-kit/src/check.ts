import { dirname, resolve } from 'node:path'
import ts from 'typescript'

/** What of a module is checked, and against what. */
export interface CheckOptions {
  /** Source files; what they import by relative path is checked with them. */
  readonly files: readonly string[]
  /**
   * Packages by name, each with its folder or its file of declarations: `@gatewright/api` -> `PREFIX/include/@gatewright/api`. They count before any
   * `node_modules`, so that a module is checked against this server and not against what its author happened to have.
   */
  readonly packages?: Readonly<Record<string, string>>
  /** Folders that hold declarations of what Node brings, `.../node_modules/@types`; those that the files find themselves when absent. */
  readonly typeRoots?: readonly string[]
}

/** One thing that is wrong with a source. */
export interface SourceProblem {
  /** Absolute path; empty for a problem that is in no file. */
  readonly file: string
  /** From 1; 0 where there is no file. */
  readonly line: number
  /** From 1, in UTF-16 units; 0 where there is no file. */
  readonly column: number
  /** TypeScript's number of the problem: 2339 for TS2339. */
  readonly code: number
  /** What is wrong, in one or more lines. */
  readonly text: string
}

/**
 * Type-checks a module's sources as `tsc --strict` would, in the order of files and lines. Nothing is written and nothing of the module runs. Declarations in
 * `node_modules` are believed.
 */
export function checkSources(options: CheckOptions): readonly SourceProblem[] {
  const files = options.files.map((file) => resolve(file))
  const program = ts.createProgram({ rootNames: files, options: compilerOptions(files, options) })
  return ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program)).map(problemOf)
}

function compilerOptions(files: readonly string[], { packages = {}, typeRoots }: CheckOptions): ts.CompilerOptions {
  const paths = Object.entries(packages).map(([name, place]): [string, string[]] => [name, [resolve(place)]])
  return {
    strict: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    // Modules are bundled, so names resolve as the bundler resolves them.
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    isolatedModules: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    allowJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: typeRoots === undefined ? undefined : [...typeRoots],
    paths: Object.fromEntries(paths),
    // Without a configuration file this is where the search for declarations begins.
    configFilePath: files.length === 0 ? undefined : `${dirname(files[0])}/tsconfig.json`,
  }
}

function problemOf(found: ts.Diagnostic): SourceProblem {
  const text = ts.flattenDiagnosticMessageText(found.messageText, '\n')
  if (found.file === undefined || found.start === undefined) return { file: '', line: 0, column: 0, code: found.code, text }
  const { line, character } = found.file.getLineAndCharacterOfPosition(found.start)
  return { file: found.file.fileName, line: line + 1, column: character + 1, code: found.code, text }
}
