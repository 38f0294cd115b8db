import { type Command, contexts, type Directive, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { readCommand } from './command-line.ts'
import { addCommandOptions } from './command-options.ts'
import {
  type AccessRole,
  ALL_FILES,
  type FcgidConfig,
  type FcgidServerConfig,
  type GlobalSettings,
  type ProcessOptions,
} from './config.ts'

type Table = DirectiveTable<FcgidConfig, FcgidServerConfig>
type Row = Directive<FcgidConfig, FcgidServerConfig>

const SERVERS = { scope: 'server', context: contexts.inServers } as const
const MAIN = { scope: 'server', context: ['server'] } as const
const SECTIONS = { scope: 'directory', context: ['directory', 'htaccess'], override: 'FileInfo' } as const

function optionRow(option: keyof ProcessOptions, help: string): Row {
  return directive.take1<FcgidServerConfig>({
    ...SERVERS,
    help,
    set: (config, word) => void (config.options = { ...config.options, [option]: leadingInteger(word) }),
  })
}

function globalRow(setting: keyof GlobalSettings, help: string): Row {
  return directive.take1<FcgidServerConfig>({
    ...MAIN,
    help,
    set: (config, word) => void (config.global = { ...config.global, [setting]: leadingInteger(word) }),
  })
}

/** A setting that changes nothing here. */
function withoutEffect(help: string): Row {
  return directive.take1<FcgidServerConfig>({ ...MAIN, help, effect: 'none', set: () => undefined })
}

function checkerRow(role: AccessRole, kind: string, invalid: string, help: string): Row {
  return directive.take1<FcgidConfig>({
    ...SECTIONS,
    help,
    set: (config, line) => {
      const command = readCommand(line, { kind, invalid })
      if (typeof command === 'string') return command
      config[role] = { ...config[role], command }
      return undefined
    },
  })
}

function authoritativeRow(role: AccessRole, help: string): Row {
  return directive.flag<FcgidConfig>({
    ...SECTIONS,
    help,
    set: (config, authoritative) => void (config[role] = { ...config[role], authoritative }),
  })
}

const wrapper: Row = directive.take123<FcgidConfig>({
  scope: 'directory',
  context: contexts.anywhere,
  override: 'FileInfo',
  help: 'The CGI wrapper file an optional URL suffix and an optional flag',
  set: addWrapper,
})

const initialEnv: Row = directive.take12<FcgidServerConfig>({
  ...SERVERS,
  help: 'an environment variable name and optional value to pass to FastCGI.',
  set: (config, name, value = '') => void (config.environment = new Map([...config.environment, [name, value]])),
})

const passHeader: Row = directive.take1<FcgidServerConfig>({
  ...SERVERS,
  help: 'Header name which will be passed to FastCGI as environment variable.',
  set: (config, name) => void (config.passHeaders = [...config.passHeaders, name]),
})

const maxRequestLength: Row = directive.take1<FcgidServerConfig>({
  ...SERVERS,
  help: 'Max HTTP request length in byte',
  set: (config, word): SetResult => {
    if (!/^\s*\+?\d{1,18}$/.test(word)) return 'FcgidMaxRequestLen requires a non-negative integer.'
    config.maxRequestLength = Number(word)
    return undefined
  },
})

const ioTimeout: Row = directive.take1<FcgidServerConfig>({
  ...SERVERS,
  help: 'Communication timeout to fastcgi server',
  set: (config, word): SetResult => {
    const seconds = leadingInteger(word)
    if (seconds <= 0) return 'FcgidIOTimeout must be greater than 0'
    config.options = { ...config.options, ioTimeout: seconds }
    return undefined
  },
})

const ACCESS: Table = {
  FcgidAccessChecker: checkerRow(
    'accessChecker',
    'Access checker',
    'Invalid access config',
    'a absolute access checker file path',
  ),
  FcgidAccessCheckerAuthoritative: authoritativeRow(
    'accessChecker',
    "Set to 'off' to allow access control to be passed along to lower modules upon failure",
  ),
  FcgidAuthenticator: checkerRow(
    'authenticator',
    'Authenticator',
    'Invalid authenticator config',
    'a absolute authenticator file path',
  ),
  FcgidAuthenticatorAuthoritative: authoritativeRow(
    'authenticator',
    "Set to 'off' to allow authentication to be passed along to lower modules upon failure",
  ),
  FcgidAuthorizer: checkerRow('authorizer', 'Authorizer', 'Invalid authorizer config', 'a absolute authorizer file path'),
  FcgidAuthorizerAuthoritative: authoritativeRow(
    'authorizer',
    "Set to 'off' to allow authorization to be passed along to lower modules upon failure",
  ),
}

const PROGRAMS: Table = {
  FcgidWrapper: wrapper,
  FcgidCmdOptions: directive.raw<FcgidServerConfig>({
    ...SERVERS,
    help: 'set processing options for a FastCGI command',
    set: addCommandOptions,
  }),
  FcgidInitialEnv: initialEnv,
  FcgidPassHeader: passHeader,
  FcgidMaxRequestLen: maxRequestLength,
  FcgidMaxRequestInMem: directive.take1<FcgidServerConfig>({
    ...SERVERS,
    help: 'The part of HTTP request which greater than this limit will swap to disk',
    set: (config, word) => void (config.maxRequestInMemory = leadingInteger(word)),
  }),
  FcgidOutputBufferSize: directive.take1<FcgidServerConfig>({
    ...SERVERS,
    help: 'CGI output buffer size',
    set: (config, word) => void (config.outputBufferSize = leadingInteger(word)),
  }),
  FcgidFixPathinfo: withoutEffect('Set 1, if cgi.fix_pathinfo=1 in php.ini'),
}

const PROCESSES: Table = {
  FcgidIOTimeout: ioTimeout,
  FcgidConnectTimeout: optionRow('connectTimeout', 'Connect timeout to fastcgi server'),
  FcgidBusyTimeout: optionRow('busyTimeout', 'a fastcgi application will be killed after handling a request for BusyTimeout'),
  FcgidIdleTimeout: optionRow('idleTimeout', 'an idle fastcgi application will be killed after IdleTimeout'),
  FcgidProcessLifeTime: optionRow('lifetime', 'fastcgi application lifetime'),
  FcgidMaxRequestsPerProcess: directive.take1<FcgidServerConfig>({
    ...SERVERS,
    help: 'Max requests handled by each fastcgi application',
    // -1 is the former word for no limit.
    set: (config, word) => void (config.options = { ...config.options, maxRequests: Math.max(0, leadingInteger(word)) }),
  }),
  FcgidMaxProcessesPerClass: optionRow('maxProcesses', 'Max process count of one class of fastcgi application'),
  FcgidMinProcessesPerClass: optionRow('minProcesses', 'Min process count of one class of fastcgi application'),
  FcgidMaxProcesses: globalRow('maxProcesses', 'Max total process count'),
  FcgidSpawnScore: globalRow('spawnScore', 'Score of spawn'),
  FcgidSpawnScoreUpLimit: globalRow('spawnScoreLimit', 'Spawn score up limit'),
  FcgidTerminationScore: globalRow('terminationScore', 'Score of termination'),
  FcgidTimeScore: globalRow('timeScore', 'Score of passage of time (in seconds)'),
  FcgidErrorScanInterval: globalRow('errorScanInterval', 'scan interval for exited process'),
  FcgidBusyScanInterval: withoutEffect('scan interval for busy timeout process'),
  FcgidIdleScanInterval: withoutEffect('scan interval for idle timeout process'),
  FcgidZombieScanInterval: withoutEffect('scan interval for zombie process'),
  FcgidProcessTableFile: withoutEffect('fastcgi shared memory file path'),
  FcgidIPCDir: directive.take1<FcgidServerConfig>({
    ...MAIN,
    help: 'fastcgi socket file path',
    set: (config, path, command) => void (config.socketFolder = command.serverRelative(path)),
  }),
}

const CURRENT: Table = { ...ACCESS, ...PROGRAMS, ...PROCESSES }

/** A directive under its former name, which many configurations still have. */
function former(name: `Fcgid${string}`): Row {
  return { ...CURRENT[name], help: `Deprecated - Use '${name}' instead` }
}

/** All directives of mod_fcgid 2.3. The names are written out, so that the stamp of the module has them. */
export const directives: Table = {
  ...CURRENT,
  BusyScanInterval: former('FcgidBusyScanInterval'),
  BusyTimeout: former('FcgidBusyTimeout'),
  DefaultInitEnv: former('FcgidInitialEnv'),
  DefaultMaxClassProcessCount: former('FcgidMaxProcessesPerClass'),
  DefaultMinClassProcessCount: former('FcgidMinProcessesPerClass'),
  ErrorScanInterval: former('FcgidErrorScanInterval'),
  FastCgiAccessChecker: former('FcgidAccessChecker'),
  FastCgiAccessCheckerAuthoritative: former('FcgidAccessCheckerAuthoritative'),
  FastCgiAuthenticator: former('FcgidAuthenticator'),
  FastCgiAuthenticatorAuthoritative: former('FcgidAuthenticatorAuthoritative'),
  FastCgiAuthorizer: former('FcgidAuthorizer'),
  FastCgiAuthorizerAuthoritative: former('FcgidAuthorizerAuthoritative'),
  FCGIWrapper: former('FcgidWrapper'),
  IdleScanInterval: former('FcgidIdleScanInterval'),
  IdleTimeout: former('FcgidIdleTimeout'),
  IPCCommTimeout: former('FcgidIOTimeout'),
  IPCConnectTimeout: former('FcgidConnectTimeout'),
  MaxProcessCount: former('FcgidMaxProcesses'),
  MaxRequestInMem: former('FcgidMaxRequestInMem'),
  MaxRequestLen: former('FcgidMaxRequestLen'),
  MaxRequestsPerProcess: former('FcgidMaxRequestsPerProcess'),
  OutputBufferSize: former('FcgidOutputBufferSize'),
  PassHeader: former('FcgidPassHeader'),
  PHP_Fix_Pathinfo_Enable: former('FcgidFixPathinfo'),
  ProcessLifeTime: former('FcgidProcessLifeTime'),
  SharememPath: former('FcgidProcessTableFile'),
  SocketPath: former('FcgidIPCDir'),
  SpawnScore: former('FcgidSpawnScore'),
  SpawnScoreUpLimit: former('FcgidSpawnScoreUpLimit'),
  TerminationScore: former('FcgidTerminationScore'),
  TimeScore: former('FcgidTimeScore'),
  ZombieScanInterval: former('FcgidZombieScanInterval'),
}

const VIRTUAL = 'virtual'

function addWrapper(
  config: FcgidConfig,
  line: string,
  second: string | undefined,
  third: string | undefined,
  _command: Command,
): SetResult {
  const isFlag = third === undefined && second?.toLowerCase() === VIRTUAL
  const [end, flag] = isFlag ? [undefined, second] : [second, third]
  if (flag !== undefined && flag.toLowerCase() !== VIRTUAL) return 'Invalid wrapper flag'
  if (end !== undefined && !/^\.[^/\\]+$/.test(end)) return 'Invalid wrapper file extension'
  const command = readCommand(line, { kind: 'Wrapper', invalid: 'Invalid wrapper config', isVirtual: flag !== undefined })
  if (typeof command === 'string') return command
  config.wrappers = new Map([...config.wrappers, [end ?? ALL_FILES, command]])
  return undefined
}
