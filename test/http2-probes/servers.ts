import { freePort } from '../fixtures/free-port.ts'
import { MODULES } from '../fixtures/staged-server.ts'
import { GATEWRIGHT, HTTPD, type Kind, NGINX, ProxyServer } from '../smuggling-pairs/proxy-server.ts'

/** Servers that can be probed. */
export const PROBED: readonly Kind[] = [
  withHttp2(GATEWRIGHT, MODULES, 'mjs'),
  withHttp2(HTTPD, '/usr/lib/apache2/modules', 'so'),
  { ...NGINX, configuration: (place) => NGINX.configuration(place).map((line) => line.replace(/^(listen .*);$/, '$1 http2;')) },
]

/** `/reflect` waits for the body of a request, so that what follows the head meets an open stream. */
function withHttp2(kind: Kind, folder: string, ending: string): Kind {
  const load = (name: string): string => `LoadModule ${name}_module ${folder}/mod_${name}.${ending}`
  const reflect = ['<Location "/reflect">', 'SetHandler reflector', '</Location>']
  const lines = [load('http2'), load('reflector'), 'Protocols h2c http/1.1', ...reflect]
  return { ...kind, configuration: (place) => [...kind.configuration(place), ...lines] }
}

/** Starts a server of HTTP/2 in the clear that answers every request. */
export async function startProbed(kind: Kind, folder: string): Promise<ProxyServer> {
  return ProxyServer.start(kind, folder, await freePort())
}
