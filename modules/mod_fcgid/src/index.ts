import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModule, type Module, type Server } from '@gatewright/api'
import { extendStatus } from '@gatewright/api/peers'
import { checkAccess } from './access.ts'
import {
  createConfig,
  createServerConfig,
  DEFAULT_GLOBAL,
  type FcgidConfig,
  type FcgidServerConfig,
  mergeConfig,
  mergeServerConfig,
} from './config.ts'
import { directives } from './directives.ts'
import { type FcgidParts, handleProgram } from './handler.ts'
import { ProcessManager } from './manager.ts'

/** Under which the first process of a configuration keeps the name of the folder for the others. */
const NAME = 'mod_fcgid.c'
/** The longest path of a socket of the system, in bytes. */
const SOCKET_PATH_MAX = 107
const NO_CONFIG: FcgidConfig = createConfig()
const NO_SERVER_CONFIG: FcgidServerConfig = createServerConfig()

/** FastCGI programs, which a process manager starts and lends to requests. */
const fcgid: Module<FcgidConfig, FcgidServerConfig> = defineModule<FcgidConfig, FcgidServerConfig>({
  name: 'fcgid_module',
  source: 'mod_fcgid.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: { create: createConfig, merge: mergeConfig },
  perServer: { create: createServerConfig, merge: mergeServerConfig },
  directives,
  register(host) {
    const { hooks, services, log, optionalHooks } = host
    const serverConfigOf = (server: Server): Readonly<FcgidServerConfig> => host.serverConfigOf(server) ?? NO_SERVER_CONFIG
    const numbers = new WeakMap<Server, number>()
    const state = { isTool: true, manager: null as ProcessManager | null, processes: 0, busy: 0 }
    hooks.checkConfig.add(({ servers }) => {
      servers.forEach((server, number) => {
        numbers.set(server, number)
      })
      return undefined
    })
    hooks.postConfig.add(({ checkOnly, isFirst }) => {
      if (checkOnly) return undefined
      state.isTool = false
      if (isFirst) services.retained.set(NAME, randomBytes(16))
      return undefined
    })
    const newManager = (server: Server): ProcessManager => {
      const { socketFolder, global } = serverConfigOf(server)
      const name = Buffer.from(services.retained.get(NAME) ?? randomBytes(16)).toString('hex')
      const wanted = join(socketFolder ?? tmpdir(), `gatewright-fcgid-${name}`)
      const isShort = Buffer.byteLength(`${wanted}/n999999999`) <= SOCKET_PATH_MAX
      return new ProcessManager(
        isShort ? wanted : join(tmpdir(), `gatewright-fcgid-${name}`),
        { ...DEFAULT_GLOBAL, ...global },
        {
          log: (level, text) => log.write(null, level, '', text),
          figures: (processes, busy) => {
            state.processes = processes
            state.busy = busy
          },
        },
      )
    }
    hooks.childInit.add(({ servers }) => {
      state.manager = newManager(servers[0])
    })
    host.onEnd(() => {
      state.manager?.close()
      state.manager = null
    })
    const parts: FcgidParts = {
      services,
      log,
      serverConfigOf,
      configOf: (request) => host.configOf(request) ?? NO_CONFIG,
      manager: () => state.manager,
      numberOf: (server) => numbers.get(server) ?? -1,
      isTool: () => state.isTool,
    }
    optionalHooks.add(extendStatus, (_request, form) =>
      form === 'auto'
        ? `FcgidProcesses: ${state.processes}\nFcgidProcessesBusy: ${state.busy}\n`
        : `<hr />\n<h2>FastCGI processes</h2>\n<p>${state.processes} running, ${state.busy} busy</p>\n`,
    )
    hooks.handler.add((request) => handleProgram(request, parts))
    hooks.checkUserId.add((request) => checkAccess(request, 'authenticator', host, parts))
    hooks.authChecker.add((request) => checkAccess(request, 'authorizer', host, parts))
    hooks.accessChecker.add((request) => checkAccess(request, 'accessChecker', host, parts))
  },
})
export default fcgid
