import { lstatSync, readFileSync, statSync } from 'node:fs'
import { type ExprLookup, ExprRuntimeError } from '@gatewright/expr'
import { fsPath } from '../request/file-info.ts'
import type { RequestRecord } from '../request/request-record.ts'
import { expressionVariables, type HeaderReader } from './expression-variables.ts'

/** Largest file that `file()` reads. */
const MAX_FILE = 10 * 1024 * 1024

/** How address tests of expressions are made; the address library is core's business, not the language's. */
export interface NetworkTest {
  /** An error text when the text is no address or network. */
  compile(text: string): { readonly matches: (address: string) => boolean } | { readonly error: string }
}

/** Names that expressions may use about a request. */
export function createExpressionLookup(networks: NetworkTest, headers: HeaderReader): ExprLookup<RequestRecord> {
  const variables = expressionVariables(headers)
  const header: StringFunction = {
    call: (request, name) => headers(name)(request),
    prepare: (name) => headers(name),
  }
  return {
    variable: (name) => variables[name],
    stringFunction: (name) => (name === 'req' || name === 'http' ? header : STRING_FUNCTIONS[name]),
    listFunction: () => undefined,
    unaryOperator: (letter) => {
      if (letter === 'R') return networkOperator(networks)
      const test = UNARY[letter]
      return test === undefined ? undefined : { test }
    },
    binaryOperator: (name) => (name.toLowerCase() === 'ipmatch' ? ipMatch(networks) : undefined),
  }
}

type StringFunction = NonNullable<ReturnType<ExprLookup<RequestRecord>['stringFunction']>>

const STRING_FUNCTIONS: Readonly<Record<string, StringFunction>> = {
  req_novary: { call: (request, name) => request.headersIn.get(name.toLowerCase()) ?? '' },
  resp: { call: (request, name) => request.existingHeadersOut?.get(name) ?? request.existingErrHeadersOut?.get(name) ?? '' },
  reqenv: { call: (request, name) => request.existingEnv?.get(name) ?? '' },
  note: { call: (request, name) => request.existingNotes?.get(name) ?? '' },
  env: { call: (request, name) => request.existingNotes?.get(name) ?? request.existingEnv?.get(name) ?? process.env[name] ?? '' },
  osenv: { call: (_request, name) => process.env[name] ?? '' },
  file: { restricted: true, call: (_request, path) => readSmallFile(path) },
  filesize: { restricted: true, call: (_request, path) => String(statOf(path)?.size ?? 0) },
}

function readSmallFile(path: string): string {
  const found = statOf(path)
  if (found === undefined || found.size > MAX_FILE) throw new ExprRuntimeError(`Cannot open file ${path}`)
  try {
    return readFileSync(fsPath(path), 'latin1')
  } catch {
    throw new ExprRuntimeError(`Cannot open file ${path}`)
  }
}

function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(fsPath(path), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(fsPath(path), { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}

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
  x: (_request, path) => {
    const mode = statOf(path)?.mode
    return mode !== undefined && (Number(mode) & 0o111) !== 0
  },
  F: (request, path) => {
    const sub = settled(request.host.lookupFile(request, path), `-F ${path}`)
    return sub.status < 300 && sub.fileInfo !== null
  },
  U: (request, url) => urlAccessible(request, url),
  A: (request, url) => urlAccessible(request, url),
}

/** False when the sub-request would ask the same question again. */
function urlAccessible(request: RequestRecord, url: string): boolean {
  for (let outer: RequestRecord | null = request.main; outer !== null; outer = outer.main)
    if (outer.uri === request.uri && request.uri === url) return false
  const sub = settled(request.host.lookupUri(request, url), `-U ${url}`)
  return sub.status < 400
}

/** Expressions are evaluated in one go: a sub-request that has to wait (for a password, say) is an error, and errors deny. */
function settled(sub: RequestRecord | Promise<RequestRecord>, what: string): RequestRecord {
  if (!(sub instanceof Promise)) return sub
  sub.catch(() => undefined)
  throw new ExprRuntimeError(`${what}: the answer would have to be waited for`)
}

function networkOperator(networks: NetworkTest): NonNullable<ReturnType<ExprLookup<RequestRecord>['unaryOperator']>> {
  let compiled: { readonly matches: (address: string) => boolean } | undefined
  return {
    prepare: (constant) => {
      if (constant === undefined) return '-R requires subnet/netmask as constant argument'
      const network = networks.compile(constant)
      if ('error' in network) return `parsing of subnet/netmask failed: ${network.error}`
      compiled = network
      return undefined
    },
    test: (request) => compiled?.matches(request.useragentAddress) === true,
  }
}

function ipMatch(networks: NetworkTest): NonNullable<ReturnType<ExprLookup<RequestRecord>['binaryOperator']>> {
  let compiled: { readonly matches: (address: string) => boolean } | undefined
  return {
    prepare: (constant) => {
      if (constant === undefined) return '-ipmatch requires subnet/netmask as constant argument'
      const network = networks.compile(constant)
      if ('error' in network) return `parsing of subnet/netmask failed: ${network.error}`
      compiled = network
      return undefined
    },
    test: (_request, address) => compiled?.matches(address) === true,
  }
}
