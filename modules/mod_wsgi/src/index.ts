import { defineModule, type Module, processOwner, type Request, type Server } from '@gatewright/api'
import { type FoundGroups, findGroups } from './check-groups.ts'
import {
  type AliasOptions,
  createServerConfig,
  mergeServerConfig,
  mergeWsgiConfig,
  type WsgiConfig,
  type WsgiServerConfig,
} from './config.ts'
import { ProcessConnections } from './connect.ts'
import { directives } from './directives.ts'
import { handleApplication, type WsgiParts } from './handler.ts'
import { findPython } from './python.ts'
import { connectRunner, type RunnerConnection, type RunnerEvents, startRunner } from './runner.ts'
import { type RunnerConfig, runnerGroup } from './runner-config.ts'
import { usualSocketPrefix } from './socket-prefix.ts'
import { translate } from './translate.ts'

/** The name under which the first process of a configuration keeps the folder of the runner for the others. */
const FOLDER = 'mod_wsgi.c'
const NO_GROUPS: FoundGroups = { groups: new Map(), imports: [], isUsed: false }
const NO_CONFIG: WsgiServerConfig = createServerConfig()

/** Applications in Python (PEP 3333), in processes of a runner of their own. */
const wsgi: Module<WsgiConfig, WsgiServerConfig> = defineModule<WsgiConfig, WsgiServerConfig>({
  name: 'wsgi_module',
  source: 'mod_wsgi.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: { create: () => ({}), merge: mergeWsgiConfig },
  perServer: { create: createServerConfig, merge: mergeServerConfig },
  directives,
  register(host) {
    const { hooks, services, log, functions } = host
    const serverConfigOf = (server: Server): Readonly<WsgiServerConfig> => host.serverConfigOf(server) ?? NO_CONFIG
    const aliasOf = host.requestSlot<AliasOptions>()
    const connections = new ProcessConnections()
    const state = {
      found: NO_GROUPS,
      isTool: true,
      folder: null as string | null,
      /** That of the process that starts the runner, until it has one as all other processes have. */
      starter: null as RunnerConnection | null,
      runner: null as RunnerConnection | null,
    }
    const events: RunnerEvents = {
      log: (level, text) => log.write(null, level, '', text),
      lost: () => {
        log.write(null, 'crit', '', 'the runner of Python has ended unexpectedly: new processes of the server start it again')
        services.renewProcesses()
      },
    }
    hooks.checkConfig.add(({ servers }) => {
      const found = findGroups(servers, serverConfigOf)
      if ('message' in found) return found
      state.found = found
      return undefined
    })
    hooks.postConfig.add(async ({ servers, checkOnly, isFirst, runtimeRelative }) => {
      if (checkOnly) return undefined
      state.isTool = false
      if (!isFirst) {
        const folder = services.retained.get(FOLDER)
        state.folder = folder === undefined || folder.length === 0 ? null : Buffer.from(folder).toString('utf8')
        return undefined
      }
      services.retained.set(FOLDER, new Uint8Array())
      const main = serverConfigOf(servers[0])
      const owner = functions.get(processOwner)?.() ?? null
      const { imports, isUsed } = state.found
      const groups = [...state.found.groups.values()].map((group) => runnerGroup(group, { main, owner, imports }))
      const missing = groups.find((group) => typeof group === 'string')
      const python = findPython(null)
      if (missing !== undefined || python === null) {
        const text = `wsgi_module runs applications with Python 3: ${missing ?? 'no python3 was found'}`
        log.write(null, isUsed ? 'emerg' : 'warn', '', `${text} (apt-get install python3 on Debian)`)
        return isUsed ? text : undefined
      }
      const config = (folder: string): RunnerConfig => ({
        folder,
        user: owner === null || owner.user === '#-1' ? null : owner.user,
        group: owner === null || owner.group === '#-1' ? null : owner.group,
        supervisor: process.ppid,
        groups: groups.filter((group) => typeof group !== 'string'),
      })
      try {
        const prefix = main.socketPrefix ?? usualSocketPrefix(runtimeRelative('wsgi'), process.geteuid?.() === 0)
        state.starter = await startRunner(prefix, config, python, events)
      } catch (error) {
        const text = `the runner of Python cannot be started: ${error instanceof Error ? error.message : String(error)}`
        log.write(null, 'emerg', '', text)
        return text
      }
      state.folder = state.starter.folder
      services.retained.set(FOLDER, Buffer.from(state.folder, 'utf8'))
      return undefined
    })
    hooks.childInit.add(async () => {
      if (state.folder === null) return
      try {
        state.runner = await connectRunner(state.folder, events)
      } catch (error) {
        // Everything but applications is served.
        const reason = error instanceof Error ? error.message : String(error)
        log.write(
          null,
          'crit',
          '',
          `the runner of Python cannot be reached: ${reason}: let User search the folder of WSGISocketPrefix`,
        )
        return
      }
      state.starter?.close('replaced')
      state.starter = null
    })
    services.inOneProcess(() => {
      state.runner?.serving()
      return () => undefined
    })
    host.onEnd(() => {
      connections.close()
      state.starter?.close('leaving')
      state.runner?.close('leaving')
      state.starter = null
      state.runner = null
    })
    const parts: WsgiParts = {
      services,
      log,
      connections,
      aliasOf,
      configOf: (request: Request) => host.configOf(request) ?? {},
      groups: () => state.found.groups,
      runner: () => state.runner,
      isTool: () => state.isTool,
    }
    hooks.translateName.add((request) => translate(request, serverConfigOf(request.server).aliases, aliasOf), {
      after: ['mod_alias.c'],
      before: ['mod_userdir.c', 'mod_vhost_alias.c'],
    })
    hooks.handler.add((request) => handleApplication(request, parts))
  },
})
export default wsgi
