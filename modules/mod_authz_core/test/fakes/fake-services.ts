import {
  type Condition,
  type ConfigServices,
  ExpressionError,
  type HostServices,
  type Request,
  readRegularFile,
  type Text,
} from '@gatewright/api'
import { methodNumber } from './fake-request.ts'

/**
 * A minimal expression language: `%{HTTP:Name}`, `%{REQUEST_URI}`, `%{FAIL}` (fails at run time), `%{NOSUCH}`
 * (does not parse); conditions are `true`, `false`, `%{FAIL}` and `%{REMOTE_USER} == 'NAME'`.
 */
export const fakeConfigServices: Omit<ConfigServices, 'providers'> = {
  pattern: () => ({ error: 'not part of this test' }),
  shellPattern: () => ({ matches: () => false }),
  isShellPattern: () => false,
  condition: parseCondition,
  text: parseText,
  methodNumber,
  moduleLoaded: () => true,
  httpdVersion: '2.4.71',
  readFile: () => new Error('not part of this test'),
}

function parseCondition(source: string): Condition | { readonly error: string } {
  if (source === '' || source.includes('%{NOSUCH}')) return { error: 'syntax error, unexpected $end' }
  const user = /^%\{REMOTE_USER\} == '(\w+)'$/.exec(source)?.[1]
  return {
    mentions: new Set(source.includes('REMOTE_USER') ? ['REMOTE_USER'] : []),
    match: () => null,
    test(request) {
      if (source === '%{FAIL}') throw new ExpressionError('Cannot open file /nonexistent')
      return user === undefined ? source === 'true' : request.user === user
    },
  }
}

function parseText(source: string): Text | { readonly error: string } {
  if (source.includes('%{NOSUCH}')) return { error: "Variable 'NOSUCH' does not exist" }
  return {
    constant: source.includes('%{') ? undefined : source,
    of: (request) => source.replace(/%\{([^}]*)\}/g, (_, name: string) => variable(name, request)),
  }
}

function variable(name: string, request: Request): string {
  if (name === 'FAIL') throw new ExpressionError('Cannot open file /nonexistent')
  if (name === 'REQUEST_URI') return request.uri
  return request.headersIn.get(name.replace('HTTP:', '')) ?? ''
}

/** The environment of a test: DNS, users and groups. */
export interface FakeWorld {
  /** Names of client addresses (double reverse lookup). */
  readonly names?: Readonly<Record<string, string>>
  /** Addresses of names. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>
  readonly verifyPassword?: HostServices['verifyPassword']
  readonly refusePassword?: HostServices['refusePassword']
  readonly costliestHash?: HostServices['costliestHash']
  /** Names of the system's users and groups, by number. */
  readonly users?: Readonly<Record<number, string>>
  readonly groups?: Readonly<Record<number, string>>
  /** True to resolve names asynchronously. */
  readonly slowNames?: boolean
}

export function fakeHostServices(world: FakeWorld = {}): HostServices {
  return {
    verifyPassword: world.verifyPassword ?? ((stored, password) => stored === `plain${password}`),
    refusePassword: world.refusePassword ?? (() => false),
    costliestHash: world.costliestHash ?? (() => undefined),
    remoteHost(request) {
      const name = world.names?.[request.useragentAddress] ?? null
      return world.slowNames ? Promise.resolve(name) : name
    },
    knownRemoteHost: () => null,
    addressesOf: async (name) => world.addresses?.[name] ?? [],
    resolveAddress: (text) => text,
    userName: (uid) => world.users?.[uid] ?? null,
    groupName: (gid) => world.groups?.[gid] ?? null,
    homeFolder: () => null,
    inventory: () => {
      throw new Error('not here')
    },
    watchFile: (_paths, parse) => ({ current: parse }),
    searchFile: (path, newReader) => {
      const whole = () => {
        const reader = newReader(null)
        drain(reader.read(readRegularFile(path)))
        return drain(reader.finish())
      }
      return { find: whole, whole }
    },
    fileText: readRegularFile,
    shellPattern: unused,
    openLog: unused,
    secret: (name) => Buffer.from(name),
    status: unused,
    serverBanner: () => '',
    serverSignature: () => '',
  }
}

function drain<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function unused(): never {
  throw new Error('not part of this test')
}
