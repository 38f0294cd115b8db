import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { TrafficDump } from './traffic-dump.ts'

export interface DumpioServer {
  input?: boolean
  output?: boolean
}

/** Writes everything that clients send and receive to the error log, at level trace7. */
const dumpio: Module<undefined, DumpioServer> = defineModule({
  name: 'dumpio_module',
  source: 'mod_dumpio.c',
  perServer: { create: () => ({}) },
  directives: {
    DumpIOInput: directive.flag<DumpioServer>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Enable I/O Dump on Input Data',
      set: (config, on) => {
        config.input = on
      },
    }),
    DumpIOOutput: directive.flag<DumpioServer>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Enable I/O Dump on Output Data',
      set: (config, on) => {
        config.output = on
      },
    }),
  },
  register({ hooks, serverConfigOf, log }) {
    hooks.preConnection.add((connection) => {
      const { input, output } = serverConfigOf(connection.baseServer)
      if ((input !== true && output !== true) || !log.enabled(connection, 'trace7')) return
      const write = (text: string): void => log.write(connection, 'trace7', '', text)
      connection.observeTraffic(new TrafficDump(write, { input: input === true, output: output === true }))
    })
  },
})
export default dumpio
