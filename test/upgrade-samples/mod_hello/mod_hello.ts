import { DECLINED, defineModule, directive, type Module } from '@gatewright/api'

interface HelloConfig {
  text?: string
}

/** Answers what `SetHandler hello` covers with the text of `HelloText`. Nothing that it uses changed between 2.2 and 2.4. */
const hello: Module<HelloConfig> = defineModule({
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
      help: 'what the handler says',
      set: (config, text) => {
        config.text = text
      },
    }),
  },
  register({ hooks, configOf }) {
    hooks.handler.add((request) =>
      request.handler === 'hello' ? request.send('text/plain', `${configOf(request).text ?? 'hello'}\n`) : DECLINED,
    )
  },
})

export default hello
