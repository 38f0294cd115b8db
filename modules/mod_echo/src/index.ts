import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { ECHO, speakEcho } from './echo-protocol.ts'

export interface EchoServer {
  enabled?: boolean
}

/** Sends everything that a client sends back to it: RFC 862. */
const echo: Module<undefined, EchoServer> = defineModule({
  name: 'echo_module',
  source: 'mod_echo.c',
  perServer: { create: () => ({}), merge: (base, over) => ({ enabled: over.enabled ?? base.enabled }) },
  directives: {
    ProtocolEcho: directive.flag<EchoServer>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Run an echo server on this host',
      set: (config, on) => {
        config.enabled = on
      },
    }),
  },
  register({ providers, serverConfigOf }) {
    providers.protocols.add(ECHO, {
      isOpenTo: () => false,
      replacesHttp: (server) => serverConfigOf(server).enabled === true,
      speak: speakEcho,
    })
  },
})
export default echo
