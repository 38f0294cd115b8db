import { defineModule, directive, type Module } from '@gatewright/api'
import {
  CGID,
  type CgiConfig,
  type CgiServerConfig,
  cgiService,
  mergeCgiConfig,
  mergeCgiServerConfig,
  scriptLog,
  scriptLogBuffer,
  scriptLogLength,
  scriptTimeout,
} from '@gatewright/cgi'

/** CGI programs: their errors go to the error log as they are. */
const cgid: Module<CgiConfig, CgiServerConfig> = defineModule<CgiConfig, CgiServerConfig>({
  name: 'cgid_module',
  source: 'mod_cgid.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: { create: () => ({}), merge: mergeCgiConfig },
  perServer: { create: () => ({}), merge: mergeCgiServerConfig },
  directives: {
    ScriptLog: scriptLog,
    ScriptLogLength: scriptLogLength,
    ScriptLogBuffer: scriptLogBuffer,
    CGIDScriptTimeout: scriptTimeout,
    ScriptSock: directive.take1<CgiServerConfig>({
      scope: 'server',
      context: ['server'],
      help: 'the name of the socket to use for communication with the cgi daemon.',
      effect: 'none',
      set: () => {},
    }),
  },
  register(host) {
    const service = cgiService(host, CGID)
    host.hooks.childInit.add(() => service.begin())
    host.hooks.handler.add((request) => service.handle(request))
  },
})
export default cgid
