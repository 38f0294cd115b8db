import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { hashOf, hashOfText, ROOT, readStamp, writeStamp } from './inputs.cjs'
import { place } from './place.ts'
import { PROGRAM_BUNDLING } from './program-bundling.ts'

/** The built API package. */
const API = join(ROOT, 'packages/api/dist')
const TESTING = 'packages/testing/src'
/** Sources of packages/testing with public declarations. */
const DECLARED = ['installed/index', 'installed/site', 'basic-auth', 'raw-exchange', 'server-root']

/**
 * Stages the packages that modules are compiled and tested against, without a registry:
 * `include/@gatewright/api`, from its built package, and `include/@gatewright/testing`, a bundle with the
 * declarations of its exports.
 */
export async function stageInclude(root: string): Promise<void> {
  const include = join(root, 'include/@gatewright')
  stageApi(join(include, 'api'))
  await stageTesting(join(include, 'testing'))
}

function stageApi(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const entries = apiEntries()
  const files = new Set(['package.json'])
  place(join(folder, 'package.json'), manifest('api', entries, { code: '.js', types: '.d.ts' }))
  for (const name of [...filesOf(entries, '.js'), ...filesOf(entries, '.d.ts')]) {
    place(join(folder, name), readFileSync(join(API, name)))
    files.add(name)
  }
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name), { recursive: true })
}

/** The names of the files that the entries of the API lead to: `index`, `text` ... */
function apiEntries(): string[] {
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(
    readFileSync(join(ROOT, 'packages/api/package.json'), 'utf8'),
  )
  return Object.keys(exports).map((path) => (path === '.' ? 'index' : path.slice('./'.length)))
}

/**
 * The built files with an ending that entries consist of, including shared ones. A build without declarations
 * keeps existing ones.
 */
function filesOf(entries: readonly string[], ending: string): Set<string> {
  const found = new Set(entries.map((entry) => `${entry}${ending}`).filter((name) => existsSync(join(API, name))))
  for (const name of found)
    for (const [, other] of readFileSync(join(API, name), 'utf8').matchAll(/\bfrom ["']\.\/([\w-]+)\.js["']/g))
      found.add(`${other}${ending}`)
  return found
}

async function stageTesting(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { outputFiles } = await build({
    ...PROGRAM_BUNDLING,
    entryPoints: {
      index: `${TESTING}/installed/index.ts`,
      'password-worker': 'packages/core/src/services/password-worker.ts',
    },
    outdir: folder,
    write: false,
  })
  for (const { path, contents } of outputFiles) place(path, contents)
  place(join(folder, 'package.json'), manifest('testing', ['index'], { code: '.mjs', types: '.d.mts' }))
  await stageDeclarations(folder)
}

/**
 * TypeScript takes longer to load than everything else here, so it runs only for sources that have changed.
 */
async function stageDeclarations(folder: string): Promise<void> {
  const stamp = `declared-${hashOfText(folder)}`
  const sources = hashOf(['build/stage-include.ts', ...DECLARED.map((name) => `${TESTING}/${name}.ts`)])
  const target = (name: string): string => join(folder, `${basename(name)}.d.mts`)
  if (readStamp(stamp) === sources && DECLARED.every((name) => existsSync(target(name)))) return
  const { default: ts } = await import('typescript')
  for (const name of DECLARED) {
    const fileName = join(ROOT, TESTING, `${name}.ts`)
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
      fileName,
      compilerOptions: { declaration: true, isolatedDeclarations: true, target: ts.ScriptTarget.ES2024 },
    })
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics([...diagnostics], ts.createCompilerHost({})))
    // All lie in one folder there, beside that of the API: through a link to the folder, names of packages would not lead anywhere.
    const besides = outputText.replaceAll(/(from ["'])\.[^"']*\/([^"'/]+)\.ts(["'])/g, '$1./$2.mjs$3')
    const beside = besides.replaceAll(
      /(from ["'])@gatewright\/api(?:\/(\w+))?(["'])/g,
      (_, before: string, entry: string | undefined, after: string) => `${before}../api/${entry ?? 'index'}.js${after}`,
    )
    place(target(name), beside)
  }
  writeStamp(stamp, sources)
}

/**
 * `main` and `types` are for tools that receive the folder, `exports` for those that find the package by its
 * name.
 */
function manifest(name: string, entries: readonly string[], endings: { readonly code: string; readonly types: string }): string {
  const filesOfEntry = (entry: string) => ({ types: `./${entry}${endings.types}`, default: `./${entry}${endings.code}` })
  const description = {
    name: `@gatewright/${name}`,
    version: apiVersion(),
    private: true,
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    main: `./index${endings.code}`,
    types: `./index${endings.types}`,
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, filesOfEntry(entry)])),
      './package.json': './package.json',
    },
  }
  return `${JSON.stringify(description, null, 2)}\n`
}

/**
 * The version of the module API, which is the server's version: npm compares it with the range in a module's
 * package.json.
 */
function apiVersion(): string {
  const found = /API_VERSION = '([^']+)'/.exec(readFileSync(join(ROOT, 'packages/api/src/version.ts'), 'utf8'))
  if (found === null) throw new Error('packages/api/src/version.ts has no API_VERSION')
  return found[1]
}
