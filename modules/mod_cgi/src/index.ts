import { defineModule, type Module } from '@gatewright/api'
import {
  CGI,
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

/** CGI programs: their errors are logged line by line with the client. */
const cgi: Module<CgiConfig, CgiServerConfig> = defineModule<CgiConfig, CgiServerConfig>({
  name: 'cgi_module',
  source: 'mod_cgi.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: { create: () => ({}), merge: mergeCgiConfig },
  perServer: { create: () => ({}), merge: mergeCgiServerConfig },
  directives: {
    ScriptLog: scriptLog,
    ScriptLogLength: scriptLogLength,
    ScriptLogBuffer: scriptLogBuffer,
    CGIScriptTimeout: scriptTimeout,
  },
  register(host) {
    const service = cgiService(host, CGI)
    host.hooks.childInit.add(() => service.begin())
    host.hooks.handler.add((request) => service.handle(request))
  },
})
export default cgi
