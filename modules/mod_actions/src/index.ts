import { contexts, DECLINED, defineModule, directive, HTTP_NOT_FOUND, M_GET, M_INVALID, type Module } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'

/** The script of a type or handler. */
interface ActionScript {
  readonly script: string
  /** Whether it also serves files that do not exist. */
  readonly isVirtual: boolean
}

/** What sections set. */
interface ActionsConfig {
  /** Action, by type or handler in lower case. */
  readonly actions: ReadonlyMap<string, ActionScript>
  /** Script, by number of the method. */
  readonly methods: ReadonlyMap<number, string>
}

interface MutableConfig extends ActionsConfig {
  actions: Map<string, ActionScript>
  methods: Map<number, string>
}

/** Scripts that serve files of a type, or requests with a method. */
const actions: Module<MutableConfig> = defineModule<MutableConfig>({
  name: 'actions_module',
  source: 'mod_actions.c',
  perDirectory: {
    create: () => ({ actions: new Map(), methods: new Map() }),
    merge: (base, over) => ({
      actions: new Map([...base.actions, ...over.actions]),
      methods: new Map([...base.methods, ...over.methods]),
    }),
  },
  directives: {
    Action: directive.take23<MutableConfig>({
      scope: 'directory',
      context: contexts.anywhere,
      override: 'FileInfo',
      help: 'a media type followed by a script name',
      set: (config, type, script, option) => {
        if (option !== undefined && option !== 'virtual') return `unrecognized option '${option}'`
        config.actions.set(type.toLowerCase(), { script, isVirtual: option !== undefined })
        return undefined
      },
    }),
    Script: directive.take2<MutableConfig>({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory'],
      help: 'a method followed by a script name',
      set: (config, method, script, { services }) => {
        if (method === 'TRACE') return 'TRACE not allowed for Script'
        // A method that nobody has registered stands for all of them, as in httpd.
        config.methods.set(services.methodNumber(method) ?? M_INVALID, script)
        return undefined
      },
    }),
  },
  register({ hooks, log, configOf }) {
    hooks.handler.add(
      (request) => {
        const config = configOf(request)
        if (config === undefined) return DECLINED
        const { handler, methodNumber } = request
        let script = methodNumber === M_GET && request.args === null ? undefined : config.methods.get(methodNumber)
        // A script that is none would be its own script.
        if (script !== undefined && request.prev?.prev != null) return DECLINED
        const action = handler === null ? undefined : config.actions.get(handler.toLowerCase())
        if (action !== undefined && handler !== null) {
          if (!action.isVirtual && request.fileInfo === null) {
            log.write(request, 'info', 'AH00652', `File does not exist: ${request.filename}`)
            return HTTP_NOT_FOUND
          }
          script = action.script
          request.env.set('HANDLER', handler)
        }
        if (script === undefined) return DECLINED
        const query = request.args === null ? '' : `?${request.args}`
        return request.internalRedirect(`${script}${escapeUriPath(request.uri)}${query}`, request.contentType)
      },
      { rank: 'last' },
    )
  },
})
export default actions
