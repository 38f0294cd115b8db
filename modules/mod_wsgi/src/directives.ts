import {
  type Command,
  contexts,
  type Directive,
  type DirectiveTable,
  directive,
  directivePlace,
  type SetResult,
} from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { WsgiConfig, WsgiServerConfig } from './config.ts'
import { newDaemonGroup } from './daemon-group.ts'
import { type MutableGroup, readDaemonOption } from './daemon-options.ts'
import { addScriptAlias, isFixed, plainGroup } from './script-alias.ts'
import { unavailableDirectives } from './unavailable-directives.ts'

type Table = DirectiveTable<WsgiConfig, WsgiServerConfig>
type Row = Directive<WsgiConfig, WsgiServerConfig>

const FILES = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const
const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'FileInfo' } as const
const SERVERS = { scope: 'server', context: contexts.inServers } as const

/** `On` or `Off` in any case; the message is that of mod_wsgi. */
function onOff<C>(set: (config: C, on: boolean) => void): (config: C, word: string, command: Command) => SetResult {
  return (config, word, command) => {
    const text = word.toLowerCase()
    if (text !== 'on' && text !== 'off') return `${command.name} must be one of: Off | On`
    set(config, text === 'on')
    return undefined
  }
}

function sectionFlag(help: string, set: (config: WsgiConfig, on: boolean) => void): Row {
  return directive.take1<WsgiConfig>({ ...ANYWHERE, help, set: onOff(set) })
}

function serverFlag(help: string, set: (config: WsgiServerConfig, on: boolean) => void): Row {
  return directive.take1<WsgiServerConfig>({ ...SERVERS, help, set: onOff(set) })
}

/** A flag about Python in the server's own processes, of which there are none here. */
function ownProcessFlag(help: string): Row {
  return directive.take1<WsgiServerConfig>({ ...SERVERS, help, effect: 'none', set: onOff(() => undefined) })
}

const INTERPRETER: Table = {
  WSGIPythonHome: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Python prefix/exec_prefix absolute path names.',
    set: (config, path) => void (config.pythonHome = path),
  }),
  WSGIPythonPath: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Python module search path.',
    set: (config, path) => void (config.pythonPath = path.split(':').filter((folder) => folder !== '')),
  }),
  WSGIPythonEggs: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Python eggs cache directory.',
    set: (config, path) => void (config.pythonEggs = path),
  }),
  WSGIPythonOptimize: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Set level of Python compiler optimisations.',
    set: (config, word) => void (config.pythonOptimize = Math.min(2, Math.max(0, leadingInteger(word)))),
  }),
  WSGIPythonHashSeed: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Python hash seed.',
    set: (config, word) => {
      if (word !== 'random' && !(/^\d{1,10}$/.test(word) && Number(word) <= 4_294_967_295))
        return 'WSGIPythonHashSeed must be "random" or an integer in range [0; 4294967295]'
      config.pythonHashSeed = word
      return undefined
    },
  }),
  WSGIPythonWarnings: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Control Python warning messages.',
    set: (config, word) => void (config.pythonWarnings = [...config.pythonWarnings, word]),
  }),
  WSGIDontWriteBytecode: serverFlag('Enable/Disable writing of byte code.', (config, on) => {
    config.dontWriteBytecode = on
  }),
  WSGIRestrictEmbedded: serverFlag('Enable/Disable use of embedded mode.', (config, on) => {
    config.restrictEmbedded = on
  }),
  WSGIRestrictSignal: serverFlag('Enable/Disable restrictions on use of signal().', (config, on) => {
    config.restrictSignal = on
  }),
  WSGILazyInitialization: ownProcessFlag('Enable/Disable lazy Python initialization.'),
  WSGIVerboseDebugging: ownProcessFlag('Enable/Disable verbose debugging messages.'),
  WSGIDestroyInterpreter: ownProcessFlag('Enable/Disable destruction of Python interpreter.'),
  WSGIRestrictStdin: ownProcessFlag('Enable/Disable restrictions on use of STDIN.'),
  WSGIRestrictStdout: ownProcessFlag('Enable/Disable restrictions on use of STDOUT.'),
  WSGICaseSensitivity: ownProcessFlag('Define whether file system is case sensitive.'),
  WSGISocketRotation: ownProcessFlag('Enable/Disable rotation of daemon process sockets.'),
  WSGIServerMetrics: ownProcessFlag('Enabled/Disable access to server metrics.'),
  WSGIAcceptMutex: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Set accept mutex type for daemon processes.',
    effect: 'none',
    set: (_config, word) =>
      /^(?:default|flock|fcntl|sysvsem|posixsem|pthread)$/i.test(word)
        ? undefined
        : `Accept mutex lock mechanism '${word}' is invalid. Valid accept mutex mechanisms for this platform are: default, flock, fcntl, sysvsem, posixsem, pthread.`,
  }),
  WSGISocketPrefix: directive.take1<WsgiServerConfig>({
    ...SERVERS,
    help: 'Path prefix for the daemon process sockets.',
    set: (config, path, command) => void (config.socketPrefix = command.serverRelative(path)),
  }),
}

const APPLICATIONS: Table = {
  WSGIScriptAlias: directive.argv<WsgiServerConfig>({
    ...SERVERS,
    help: 'Map location to target WSGI script file.',
    set: (config, words, command) => addScriptAlias(config, words, 'prefix', command),
  }),
  WSGIScriptAliasMatch: directive.argv<WsgiServerConfig>({
    ...SERVERS,
    help: 'Map location pattern to target WSGI script file.',
    set: (config, words, command) => addScriptAlias(config, words, 'pattern', command),
  }),
  WSGIDaemonProcess: directive.argv<WsgiServerConfig>({
    ...SERVERS,
    help: 'Specify details of daemon processes to start.',
    set: addDaemonProcess,
  }),
  WSGIImportScript: directive.argv<WsgiServerConfig>({
    ...SERVERS,
    help: 'Location of WSGI import script.',
    set: addImport,
  }),
  WSGIProcessGroup: directive.take1<WsgiConfig>({
    ...FILES,
    help: 'Name of the WSGI process group.',
    set: (config, name) => void (config.processGroup = name),
  }),
  WSGIApplicationGroup: directive.take1<WsgiConfig>({
    ...FILES,
    help: 'Application interpreter group.',
    set: (config, name) => void (config.applicationGroup = name),
  }),
  WSGIRestrictProcess: directive.argv<WsgiConfig>({
    ...FILES,
    help: 'Limit selectable WSGI process groups.',
    set: (config, words) => void (config.allowedGroups = new Set(words.map(plainGroup))),
  }),
  WSGICallableObject: directive.take1<WsgiConfig>({
    ...ANYWHERE,
    help: 'Name of entry point in WSGI script file.',
    set: (config, name) => void (config.callableObject = name),
  }),
  WSGIPassAuthorization: sectionFlag('Enable/Disable WSGI authorization.', (config, on) => {
    config.passAuthorization = on
  }),
  WSGIScriptReloading: sectionFlag('Enable/Disable script reloading mechanism.', (config, on) => {
    config.scriptReloading = on
  }),
  WSGIErrorOverride: sectionFlag('Enable/Disable overriding of error pages.', (config, on) => {
    config.errorOverride = on
  }),
  WSGIChunkedRequest: sectionFlag('Enable/Disable support for chunked requests.', (config, on) => {
    config.chunkedRequest = on
  }),
  WSGIIgnoreActivity: sectionFlag('Enable/Disable reset of inactvity timeout.', (config, on) => {
    config.ignoreActivity = on
  }),
  WSGIEnableSendfile: sectionFlag('Enable/Disable support for kernel sendfile.', (config, on) => {
    config.enableSendfile = on
  }),
  WSGIMapHEADToGET: directive.take1<WsgiConfig>({
    ...ANYWHERE,
    help: 'Enable/Disable mapping of HEAD to GET.',
    set: (config, word) => {
      const text = word.toLowerCase()
      if (text !== 'on' && text !== 'off' && text !== 'auto') return 'WSGIMapHEADToGET must be one of: Off | On | Auto'
      config.mapHead = text
      return undefined
    },
  }),
}

/** All directives of mod_wsgi 4.9, those that this server does not provide included. */
export const directives: Table = { ...APPLICATIONS, ...INTERPRETER, ...unavailableDirectives }

function addDaemonProcess(config: WsgiServerConfig, words: readonly string[], command: Command): SetResult {
  const [name, ...options] = words
  if (name === undefined || name === '') return 'Name of WSGI daemon process not supplied.'
  const group: MutableGroup = { ...newDaemonGroup(name, command.server, directivePlace(command)) }
  for (const option of options) {
    const fault = readDaemonOption(group, option)
    if (fault !== undefined) return fault
  }
  config.groups = [...config.groups, group]
  return undefined
}

function addImport(config: WsgiServerConfig, words: readonly string[], command: Command): SetResult {
  const [script, ...options] = words
  if (script === undefined || script === '') return 'Location of import script not supplied.'
  let processGroup = ''
  let applicationGroup: string | null = null
  for (const option of options) {
    if (option.startsWith('process-group=')) processGroup = option.slice('process-group='.length)
    else if (option.startsWith('application-group=')) applicationGroup = option.slice('application-group='.length)
    else return 'Invalid option to WSGI import script definition.'
  }
  if (applicationGroup === null || applicationGroup === '') return 'Name of WSGI application group required.'
  if (!isFixed(processGroup + applicationGroup)) return 'The groups of WSGIImportScript must be names, or %{GLOBAL}'
  config.imports = [
    ...config.imports,
    {
      processGroup: plainGroup(processGroup),
      applicationGroup: plainGroup(applicationGroup),
      script: command.serverRelative(script),
      place: directivePlace(command),
    },
  ]
  return undefined
}
