import {
  type Context,
  DECLINED,
  defineModule,
  describeTarget,
  directive,
  HTTP_METHOD_NOT_ALLOWED,
  MethodSet,
  type Module,
  type SetResult,
} from '@gatewright/api'

interface AllowMethodsConfig {
  /** undefined means not set; MethodSet.ALL after `reset`. */
  allowed?: MethodSet
}

const SECTIONS: readonly Context[] = ['directory']

const allowmethods: Module<AllowMethodsConfig> = defineModule({
  name: 'allowmethods_module',
  source: 'mod_allowmethods.c',
  perDirectory: { create: () => ({}), merge: (base, over) => ({ allowed: over.allowed ?? base.allowed }) },
  directives: {
    AllowMethods: directive.argv({
      scope: 'directory',
      context: SECTIONS,
      help: 'methods that are allowed, or reset',
      set: (config, words, { services }): SetResult => {
        const [first = ''] = words
        if (first === '') return "AllowMethods: No method or 'reset' keyword given"
        if (words.length === 1 && first.toLowerCase() === 'reset') {
          config.allowed = MethodSet.ALL
          return undefined
        }
        let allowed = config.allowed === undefined || config.allowed.isAll ? MethodSet.NONE : config.allowed
        for (const word of words) {
          const number = services.methodNumber(word)
          if (number === undefined) return `AllowMethods: Invalid Method '${word}'`
          allowed = allowed.with(number)
        }
        config.allowed = allowed
        return undefined
      },
    }),
  },
  register({ hooks, configOf, log }) {
    hooks.accessChecker.add(
      (request) => {
        const { allowed } = configOf(request)
        if (allowed === undefined || allowed.isAll || allowed.has(request.methodNumber)) return DECLINED
        log.write(
          request,
          'error',
          'AH01623',
          `client method denied by server configuration: '${request.method}' to ${describeTarget(request)}`,
        )
        return HTTP_METHOD_NOT_ALLOWED
      },
      { rank: 'really-first' },
    )
  },
})
export default allowmethods
