import { DECLINED, defineModule, directive, type Module } from '@gatewright/api'

/** What a section says about this module. */
interface Config {
  /** Undefined where no HelloText line counts. */
  text?: string
}

const module: Module<Config> = defineModule({
  name: 'hello_module',
  source: 'mod_hello.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ text: over.text ?? base.text }),
  },
  directives: {
    HelloText: directive.take1({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory', 'htaccess'],
      override: 'FileInfo',
      help: 'text that the handler sends',
      set: (config, text) => {
        config.text = text
      },
    }),
  },
  register({ hooks, configOf }) {
    hooks.handler.add((request) => {
      if (request.handler !== 'hello') return DECLINED
      return request.send('text/plain', `${configOf(request).text ?? 'The sample page of mod_hello'}\n`)
    })
  },
})

export default module
