import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import type { ExpressionNames, ProviderGroup } from '@gatewright/api'
import { utf8Bytes } from '@gatewright/api/text'
import { type BinaryOperator, type ExprLookup, ExprRuntimeError, type StringFunction, type UnaryOperator } from '@gatewright/expr'
import { fsPath } from '../base/file-info.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { expressionVariables, type HeaderReader } from './expression-variables.ts'
import type { SystemAccounts } from './system-accounts.ts'

/** Largest file that `file()` reads. */
const MAX_FILE = 10 * 1024 * 1024

interface AddressTest {
  readonly matches: (address: string) => boolean
}

/**
 * How address tests of expressions are created; core owns the address library, not the expression language.
 */
export interface NetworkTest {
  /** An error text if the text is not an address or network. */
  compile(text: string): AddressTest | { readonly error: string }
}

/** Names that expressions may use about a request. */
export function createExpressionLookup(
  networks: NetworkTest,
  accounts: SystemAccounts,
  headers: HeaderReader,
  ofModules: ProviderGroup<ExpressionNames>,
): ExprLookup<RequestRecord> {
  const variables = expressionVariables(headers, accounts)
  const header: StringFunction<RequestRecord> = {
    call: (request, name) => headers(name)(request),
    prepare: (name) => headers(name),
  }
  return {
    variable: (name) => inModules(ofModules, (names) => names.variable?.(name)) ?? variables[name],
    stringFunction: (name) => {
      if (name === 'req' || name === 'http') return header
      const own = STRING_FUNCTIONS[name]
      if (own !== undefined) return own
      const call = inModules(ofModules, (names) => names.stringFunction?.(name))
      return call === undefined ? undefined : { call }
    },
    listFunction: (name) => inModules(ofModules, (names) => names.listFunction?.(name)),
    unaryOperator: (letter) => {
      if (letter === 'R') return clientIn(networks)
      const test = UNARY[letter]
      return test === undefined ? undefined : { test, restricted: FILE_TESTS.has(letter) }
    },
    binaryOperator: (name) => (name === 'ipmatch' ? addressIn(networks) : undefined),
  }
}

/** The first that a module knows. */
function inModules<T>(group: ProviderGroup<ExpressionNames>, find: (names: ExpressionNames) => T | undefined): T | undefined {
  for (const module of group.names()) {
    const names = group.get(module)
    const found = names === undefined ? undefined : find(names)
    if (found !== undefined) return found
  }
  return undefined
}

const STRING_FUNCTIONS: Readonly<Record<string, StringFunction<RequestRecord>>> = {
  req_novary: { call: (request, name) => request.headersIn.get(name.toLowerCase()) ?? '' },
  resp: { call: (request, name) => request.existingHeadersOut?.get(name) ?? request.existingErrHeadersOut?.get(name) ?? '' },
  reqenv: { call: (request, name) => request.existingEnv?.get(name) ?? '' },
  note: { call: (request, name) => request.existingNotes?.get(name) ?? '' },
  env: { call: (request, name) => request.existingNotes?.get(name) ?? request.existingEnv?.get(name) ?? environmentOf(name) },
  osenv: { call: (_request, name) => environmentOf(name) },
  file: { restricted: true, call: (_request, path) => readSmallFile(path) },
  filesize: { restricted: true, call: (_request, path) => String(sizeOf(path)) },
}

/** Texts are bytes here; Node decodes the environment as UTF-8. */
function environmentOf(name: string): string {
  return utf8Bytes(process.env[name] ?? '')
}

function readSmallFile(path: string): string {
  const found = statOf(path)
  if (found === undefined) throw new ExprRuntimeError(`Cannot open file ${path}`)
  if (found.isFile() && found.size > MAX_FILE) throw new ExprRuntimeError(`File ${path} too large`)
  // Reading a pipe would block.
  if (!found.isFile()) throw new ExprRuntimeError(`Cannot read from file ${path}`)
  let content: string
  try {
    content = readFileSync(fsPath(path), 'latin1')
  } catch {
    throw new ExprRuntimeError(`Cannot open file ${path}`)
  }
  // httpd keeps text in C strings.
  const end = content.indexOf('\0')
  return end < 0 ? content : content.slice(0, end)
}

/** 0 if the path is not a regular file. */
function sizeOf(path: string): number {
  const found = statOf(path)
  return found?.isFile() === true ? found.size : 0
}

function statOf(path: string): Stats | undefined {
  return ask(statSync, path)
}

function linkStatOf(path: string): Stats | undefined {
  return ask(lstatSync, path)
}

function isLink(path: string): boolean {
  return linkStatOf(path)?.isSymbolicLink() === true
}

function ask(stat: typeof statSync, path: string): Stats | undefined {
  try {
    return stat(fsPath(path), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The operators that reveal what files there are. */
const FILE_TESTS: ReadonlySet<string> = new Set(['d', 'e', 'f', 's', 'L', 'h', 'x'])

const UNARY: Readonly<Record<string, (request: RequestRecord, argument: string) => boolean>> = {
  d: (_request, path) => statOf(path)?.isDirectory() === true,
  e: (_request, path) => statOf(path) !== undefined,
  f: (_request, path) => statOf(path)?.isFile() === true,
  s: (_request, path) => {
    const found = statOf(path)
    return found?.isFile() === true && found.size > 0
  },
  L: (_request, path) => isLink(path),
  h: (_request, path) => isLink(path),
  // For a symbolic link itself, which is executable by every user.
  x: (_request, path) => ((linkStatOf(path)?.mode ?? 0) & 0o111) !== 0,
  F: (request, path) => {
    const sub = settled(
      request.work.inOneGo(() => request.host.lookupFile(request, path)),
      `-F ${path}`,
    )
    // A module may have mapped it to another file.
    return sub.status < 300 && statOf(sub.filename) !== undefined
  },
  U: (request, url) => urlAccessible(request, url),
  A: (request, url) => urlAccessible(request, url),
}

/** Whether an expression with these operators makes sub-requests. */
export function looksUpRequests(operators: ReadonlySet<string>): boolean {
  return operators.has('F') || operators.has('U') || operators.has('A')
}

/** False within a sub-request for the same URL, which would repeat the lookup endlessly. */
function urlAccessible(request: RequestRecord, url: string): boolean {
  if (request.main?.uri === request.uri) return false
  const sub = settled(
    request.work.inOneGo(() => request.host.lookupUri(request, url, 'GET')),
    `-U ${url}`,
  )
  return sub.status < 400
}

/**
 * Expressions are evaluated synchronously: an asynchronous sub-request (one that verifies a password, for
 * example) is an error, and errors deny access.
 */
function settled(sub: RequestRecord | Promise<RequestRecord>, what: string): RequestRecord {
  if (!(sub instanceof Promise)) return sub
  sub.catch(() => undefined)
  throw new ExprRuntimeError(`${what}: the result is not available synchronously`)
}

/** `-R`: the network is part of the expression, and so are errors in it. */
function clientIn(networks: NetworkTest): UnaryOperator<RequestRecord> {
  return {
    test: () => false,
    prepare: (constant) => {
      const network = constantNetwork('-R', constant, networks)
      return typeof network === 'string' ? network : (request) => network.matches(request.useragentAddress)
    },
  }
}

function addressIn(networks: NetworkTest): BinaryOperator<RequestRecord> {
  return {
    test: () => false,
    prepare: (constant) => {
      const network = constantNetwork('-ipmatch', constant, networks)
      return typeof network === 'string' ? network : (_request, address) => network.matches(address)
    },
  }
}

/** The network, or the error in it. */
function constantNetwork(operator: string, constant: string | undefined, networks: NetworkTest): AddressTest | string {
  if (constant === undefined) return `${operator} requires subnet/netmask as constant argument`
  const network = networks.compile(constant)
  return 'error' in network ? `parsing of subnet/netmask failed: ${network.error}` : network
}
