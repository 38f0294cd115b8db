import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../build/inputs.cjs'

const MODULES = join(ROOT, 'dist/modules')

const inProxy = (find, replace) => ({ module: 'mod_proxy', find, replace })
const inAjp = (find, replace) => ({ module: 'mod_proxy_ajp', find, replace })
const inHttp2 = (find, replace) => ({ module: 'mod_proxy_http2', find, replace })

/**
 * Bugs of this server's side only, by the shape of the cases that have to find them: each a change of the lines of its
 * configuration (line, line before), or of a built module, in which `find` occurs once.
 */
export const PLANTS = {
  mappings: {
    'nocanon is ignored': (line) => line.replace(/ nocanon$/, ''),
    'mapping=encoded is ignored': (line) => line.replace(/ mapping=encoded$/, ''),
    'an exclusion is ignored': (line) => line.replace(/^( *)ProxyPass "[^"]*" !$/, '$1# gone'),
    'Require of a Proxy section is ignored': (line, before) =>
      /^ *<Proxy/.test(before) ? line.replace('denied', 'granted') : line,
    'encoded slashes are allowed': (line) => line.replace(/^( *ServerName .*)$/, '$1\n  AllowEncodedSlashes On'),
    'ProxyPassReverse has no effect': (line) => line.replace(/^( *)ProxyPassReverse "/, '$1ProxyPassReverse "/none'),
  },
  responses: {
    'URLs keep the name of the back end': (line) => line.replace(/ProxyPassReverse "/, 'ProxyPassReverse "/none'),
    'cookies keep their paths': (line) => line.replace('ProxyPassReverseCookiePath "', 'ProxyPassReverseCookiePath "/none'),
    'cookies keep their domains': (line) => line.replace('ProxyPassReverseCookieDomain "', 'ProxyPassReverseCookieDomain "none'),
    'all errors are replaced': (line) => line.replace(/ProxyErrorOverride On .*/, 'ProxyErrorOverride On'),
    'no error is replaced': (line) => line.replace(/ProxyErrorOverride On/, 'ProxyErrorOverride Off'),
    'the proxy is not named': (line) => line.replace(/ProxyVia (?:On|Full)/, 'ProxyVia Off'),
  },
  scopes: {
    'sections with wildcards are no patterns': inProxy('path !== null && command.services.isShellPattern(path)', 'false'),
    'the line of a section does not come first': inProxy(
      'mapping !== void 0 && mapping.phase === phase',
      'mapping !== void 0 && mappings.length === 0 && mapping.phase === phase',
    ),
    'variables are replaced without the word interpolate': inProxy(
      'mapping.interpolates && config.interpolates === true',
      'config.interpolates === true',
    ),
    'ProxyAddHeaders has no effect': (line) => line.replace('ProxyAddHeaders Off', 'ProxyAddHeaders On'),
    'ProxyMaxForwards has no effect': (line) => line.replace(/ProxyMaxForwards \S+/, 'ProxyMaxForwards -1'),
    'rules of Proxy sections for balancers are ignored': (line) =>
      line.replace(/^( *)<Proxy "balancer:\/\/(b\d+\/\*|\*)">/, '$1<Proxy "none">'),
  },
  encodings: {
    'nocanon is ignored': (line) => line.replace(' nocanon', ''),
    'mapping=encoded is ignored': (line) => line.replace(' mapping=encoded', ''),
    'NoDecode decodes': (line) => line.replace('AllowEncodedSlashes NoDecode', 'AllowEncodedSlashes On'),
    'noquery is ignored': (line) => line.replace(' noquery', ''),
    'patterns are escaped again': (line) => line.replace(/\[P,NE\]/, '[P]'),
    'groups without text set no variable': (line) => line.replace('(?<rest>.*)', '(?<rest>.+)'),
  },
  workers: {
    'ping has no effect': (line) => line.replace(/ping=\S+/, 'retry=60'),
    'responsefieldsize has no effect': (line) => line.replace(/responsefieldsize=200\b/, 'responsefieldsize=20000'),
    'disabled workers serve': (line) => line.replace(/status=\+[DS]/, 'status=+I'),
    'workers never are in error': (line) => line.replace(/status=-I/, 'status=+I'),
    'any protocol is an upgrade': (line) => line.replace('upgrade=websocket', 'upgrade=ANY'),
    'connections are always kept': (line) => line.replace(/disablereuse=On|enablereuse=Off/, 'disablereuse=Off'),
  },
  'balancer-ways': {
    'slashes at the end of members are left out': (line) => line.replace(/^( *BalancerMember .*\/m\d)\/ /, '$1 '),
    'the first value of a parameter counts': inProxy(
      'this.#values.set(key, [',
      'if (!this.#values.has(key)) this.#values.set(key, [',
    ),
    'replaced responses put members in error': inProxy('!isAnswer && (outcome2 ===', '(outcome2 ==='),
    'sessions in paths are ignored': (line) => line.replace(/stickysession=SID\|sid/, 'stickysession=SID|none'),
    'members of later sets serve': (line) => line.replace(' lbset=1', ''),
    'rules of Proxy sections for balancers are ignored': (line, before) =>
      /^ *<Proxy "balancer:.*\*">/.test(before) ? line.replace(/Require all denied|RequestHeader .*/, '') : line,
  },
  balancers: {
    'factors are ignored': (line) => line.replace(/ loadfactor=\S+/, ''),
    'sets are ignored': (line) => line.replace(/ lbset=\S+/, ''),
    'hot standbys are ordinary members': (line) => line.replace(/\+H/, '-H'),
    'hot spares are ordinary members': (line) => line.replace(/\+R/, '-R'),
    'draining members take new requests': (line) => line.replace(/\+N/, '-N'),
    'disabled members serve': (line) => line.replace(/\+D/, '-D'),
    'errors are not ignored': (line) => line.replace(/\+I/, '-I'),
    'routes are ignored': (line) => line.replace(/ route=\S+/, ''),
    'redirects are ignored': (line) => line.replace(/ redirect=\S+/, ''),
    'sessions fail over': (line) => line.replace('nofailover=On', 'nofailover=Off'),
    'only one member is tried': (line) => line.replace(/^( *)ProxySet (?!.*maxattempts)/, '$1ProxySet maxattempts=0 '),
    'all members recover at once': (line) => line.replace('forcerecovery=Off', 'forcerecovery=On'),
    'failonstatus has no effect': (line) => line.replace(/ failonstatus=\S+/, ''),
    'methods are byrequests': (line) => line.replace(/lbmethod=\S+/, 'lbmethod=byrequests'),
    'the error state ends at once': (line) => line.replace('retry=60', 'retry=0'),
  },
  ajp: {
    'a method has the code of another one': inAjp('"REPORT", 16', '"REPORT", 17'),
    'a field has the code of another one': inAjp('"cookie2", 40970', '"cookie2", 40969'),
    'the user is not stated': inAjp('request.user !== null', 'request.user === ""'),
    'variables are stated with their prefix': inAjp('name.slice(PREFIX.length)', 'name'),
    'the secret is not sent': inAjp('parts.secret !== void 0', 'parts.secret === ""'),
    'the route of the session is not stated': inAjp('notes.get("session-route")', 'notes.get("no-route")'),
    'chunks may be shorter than their packets': inAjp('length !== expected', 'length > expected'),
    'any request is repeated': inAjp('IDEMPOTENT.has(request.method) &&', ''),
    'responses are not replaced by pages': inAjp('settings.overrides(head.status)', 'false'),
    'paths of cookies are not mapped': inAjp('passing.mapCookie(value)', 'value'),
    'locations are not mapped': inAjp('passing.mapUrl(value)', 'value'),
  },
  http2: {
    'requests have another scheme': inHttp2('how.isSecured ? "https" : "http"', '"https"'),
    'the length of a body is not stated': inHttp2('how.length >= 0', 'false'),
    'the host of the client is not preserved': inHttp2('if (!settings.preserveHost) return host', 'return host'),
    'a length that is stated twice is accepted': inHttp2('this.contentLength >= 0 ||', ''),
    'fields of the connection are accepted': inHttp2('CONNECTION_FIELDS.has(name)', 'false'),
    'a body may be longer than announced': inHttp2('length >= 0 && this.#arrived > length', 'false'),
    'locations are not mapped': inHttp2('passing.mapUrl(value)', 'value'),
    'responses are not replaced by pages': inHttp2('settings.overrides(message.status)', 'false'),
  },
  forward: {
    'ProxyBlock has no effect': (line) => line.replace(/^( *)ProxyBlock /, '$1# '),
    'NoProxy has no effect': (line) => line.replace(/^( *)NoProxy /, '$1# '),
    'CONNECT leads to any port': (line) => line.replace(/AllowCONNECT .*/, 'AllowCONNECT 1-65535'),
    'ProxyRemoteMatch has no effect': (line) => line.replace(/^( *)ProxyRemoteMatch /, '$1# '),
    'Require of a Proxy section is ignored': (line, before) =>
      /^ *<Proxy/.test(before) ? line.replace('denied', 'granted') : line,
    'the proxy is open although ProxyRequests is Off': (line) => line.replace('ProxyRequests Off', 'ProxyRequests On'),
    'names in networks of NoProxy are not looked up': inProxy('isDirect(direct, address)', 'false'),
    'OPTIONS for a URL without a path is answered here': inProxy(
      'target.form !== "authority" &&',
      'target.form === "absolute" &&',
    ),
    'hosts are looked up that a remote proxy is asked for': inProxy(
      'if (this.remote !== null) return this.isBlocked',
      'if (false) return this.isBlocked',
    ),
    'ProxyDomain redirects any request': inProxy('request.method !== "GET" && request.method !== "HEAD"', 'false'),
  },
}

/** A folder of modules of which one has the bug. @throws if its text does not occur once */
export function plantedModules(folder, { module, find, replace }) {
  const place = join(folder, 'planted')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const file = `${module}.mjs`
  for (const name of readdirSync(MODULES)) if (name !== file) symlinkSync(join(MODULES, name), join(place, name))
  const text = readFileSync(join(MODULES, file), 'utf8')
  if (text.split(find).length !== 2) throw new Error(`${file} does not say "${find}" once: adapt the planted bug`)
  writeFileSync(
    join(place, file),
    text.replace(find, () => replace),
  )
  return place
}
