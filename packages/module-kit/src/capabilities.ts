import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { ModuleCapability } from '@gatewright/api'
import { MODULE_CAPABILITIES } from '@gatewright/api/stamp'
import ts from 'typescript'
import { reachableFiles } from './reachable-files.ts'

/** Modules of Node by the capability that an import of them needs, without `node:` and without `/promises`. */
const NEEDED: ReadonlyMap<string, ModuleCapability> = new Map([
  ...['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'inspector'].map((name) => [name, 'net'] as const),
  ...['fs', 'sqlite', 'wasi'].map((name) => [name, 'fs'] as const),
  ...['child_process', 'cluster'].map((name) => [name, 'child-process'] as const),
  ['worker_threads', 'worker'],
])

/** Names of those modules that only calculate. */
const HARMLESS: ReadonlyMap<string, readonly string[]> = new Map([
  ['net', ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress']],
  ['http', ['METHODS', 'STATUS_CODES', 'validateHeaderName', 'validateHeaderValue']],
  ['tls', ['rootCertificates', 'checkServerIdentity']],
  ['fs', ['constants']],
  ['worker_threads', ['isMainThread', 'threadId']],
])

/** Globals that connect to other machines. */
const CONNECTING = ['fetch', 'WebSocket', 'EventSource']

/** An import of a bundle, as esbuild prints it: one statement from the beginning of a line. */
const STATIC = /^(?:import|export)\s*(?:([^"'`;]*?)\s*\bfrom\s*)?["']([^"'\n]+)["']/gm
/** Imports and calls of require by a literal, anywhere. */
const DYNAMIC = /\b(?:import|require|__require\d*|getBuiltinModule)\s*\(\s*["'`]([^"'`\n]+)["'`]/g

/**
 * What the code of a built module needs: each capability with the module of Node or the global that needs it. It is
 * read, not executed, and so names that are computed remain unknown.
 * @param code the bundle
 */
export function neededCapabilities(code: string): Map<ModuleCapability, string> {
  const needed = new Map<ModuleCapability, string>()
  const note = (specifier: string, names: string | undefined): void => {
    const name = specifier.replace(/^node:/, '').replace(/\/.*$/, '')
    const capability = NEEDED.get(name)
    if (capability === undefined || needed.has(capability) || onlyCalculates(name, names)) return
    needed.set(capability, specifier)
  }
  for (const [, names, specifier] of code.matchAll(STATIC)) note(specifier, names ?? '{}')
  for (const [, specifier] of code.matchAll(DYNAMIC)) note(specifier, undefined)
  const global = needed.has('net') ? undefined : connectingGlobal(code)
  if (global !== undefined) needed.set('net', global)
  return needed
}

/** @param names the clause of an import, `{ isIP as check }`; undefined if everything is imported */
function onlyCalculates(module: string, names: string | undefined): boolean {
  const listed = /^\{([^}]*)\}$/s.exec(names?.trim() ?? '')?.[1]
  if (listed === undefined) return false
  const harmless = HARMLESS.get(module) ?? []
  return listed
    .split(',')
    .map((each) => each.trim().split(/\s+as\s+/)[0])
    .every((name) => name === '' || harmless.includes(name))
}

/**
 * Checks that a module declares what it uses, and returns what it declares, sorted.
 * @param entry the module's main source, for the place in messages
 * @param code its bundle
 * @throws Error that names the source, what needs the capability, and the line to write
 */
export function checkedCapabilities(
  entry: string,
  code: string,
  declared: readonly ModuleCapability[],
): readonly ModuleCapability[] {
  const needed = neededCapabilities(code)
  const all = MODULE_CAPABILITIES.filter((name) => needed.has(name) || declared.includes(name))
  const missing = all.filter((name) => !declared.includes(name))
  if (missing.length > 0) {
    const uses = missing.map((name) => `${needed.get(name)} (${name})`).join(', ')
    const line = `capabilities: [${all.map((name) => `'${name}'`).join(', ')}]`
    throw new Error(
      `${placeOf(entry, needed.get(missing[0]) ?? '')}: the module uses ${uses}, which it does not declare: write ${line} in defineModule`,
    )
  }
  return all
}

/** The first source of the module that contains the import of `specifier`; the entry if a package contains it. */
function placeOf(entry: string, specifier: string): string {
  for (const file of reachableFiles(entry)) {
    const lines = readFileSync(file, 'utf8').split('\n')
    const at = lines.findIndex((line) => new RegExp(`["'\`]${specifier}["'\`]|\\b${specifier}\\(`).test(line))
    if (at >= 0) return `${relative('', file)}:${at + 1}`
  }
  return relative('', entry)
}

/** A call such as `fetch(...)` or `new WebSocket(...)` of a name that the code does not declare. */
function connectingGlobal(code: string): string | undefined {
  if (!CONNECTING.some((name) => code.includes(`${name}(`))) return undefined
  const tree = ts.createSourceFile('module.mjs', code, ts.ScriptTarget.Latest)
  const called = new Set<string>()
  const declared = new Set<string>()
  const visit = (node: ts.Node): void => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && ts.isIdentifier(node.expression))
      called.add(node.expression.text)
    if (isDeclaration(node) && node.name !== undefined && ts.isIdentifier(node.name)) declared.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return CONNECTING.find((name) => called.has(name) && !declared.has(name))
}

function isDeclaration(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.ParameterDeclaration | ts.FunctionDeclaration | ts.ImportSpecifier | ts.ClassDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node) ||
    ts.isClassDeclaration(node)
  )
}
