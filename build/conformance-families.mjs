import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { STRICTER } from './conformance-stricter.mjs'
import { WORDED } from './conformance-wording.mjs'
import { ROOT } from './inputs.cjs'

/**
 * Families of test/conformance/cases that must pass completely, and single cases of other families. A family
 * that is complete is added here and stays. Some cases are compared apart: without the wording (conformance-wording.mjs),
 * or but for answers that would be a weakness (conformance-stricter.mjs). The family framing covers http/bodies with
 * error documents; test/log-items.test.ts compares all items of logs/format-items with httpd.
 */
export const DUE = [
  'seeds',
  'guide',
  'authz-containers',
  'authz-fuzz',
  'compat-fuzz',
  'auth-basic',
  'dbm',
  'sections',
  'status',
  'cli',
  'config-errors',
  'deflate',
  'filter',
  'headers',
  'expires',
  'allowmethods',
  'reqtimeout',
  'static',
  'content',
  'htaccess',
  'privileges',
  'autoindex',
  'negotiation',
  'rewrite',
  'include',
  'cache/authorization-after-cache',
  'cache/authorization-before-cache',
  'cache/directives',
  'cache/what-a-request-asks',
  'cache/what-a-request-asks-late',
  'asked-again/includes-and-actions',
  'asked-again/includes-and-actions-with-allowmethods',
  'remoteip',
  'user-and-host-folders',
  'info',
  'projects',
  'logs/conditions-and-nicknames',
  'logs/error-format',
  'logs/error-info',
  'logs/error-per-module',
  'logs/error-warn',
  'logs/notices',
  'http/encoded-slashes',
  'http/headers',
  'http/options-unsafe',
  'http/paths',
  'http/request-line',
  'http/unsafe-and-strict',
  'framing',
  'details',
  'long-files',
  'default-names',
  'descriptors',
  'leading-slashes',
  'named-files',
  'rewrite-sections',
  'clients-behind-proxies',
  'methods-by-address',
  'asked-again/error-pages-of-the-denied',
  'asked-again/error-pages-of-the-denied-with-allowmethods',
  'asked-again/kinds-of-rules',
  'asked-again/kinds-of-rules-with-allowmethods',
  'asked-again/reported',
  'asked-again/reported-with-allowmethods',
  'asked-again/seed-301',
  'asked-again/seed-302',
  'asked-again/seed-303',
  'asked-again/sources',
  'asked-again/sources-with-allowmethods',
  'asked-again/targets',
  'asked-again/targets-with-allowmethods',
  'asked-again/users',
  'asked-again/users-with-allowmethods',
  'tls',
  'http2',
  'proxy/authorization',
  'proxy/authorization-merging',
  'proxy/bad-header-iserror',
  'proxy/bad-header-startbody',
  'proxy/balancer-distribution',
  'proxy/balancer-failover',
  'proxy/balancer-manager',
  'proxy/balancer-mapping',
  'proxy/balancer-sticky',
  'proxy/config-errors-directives',
  'proxy/config-errors-helpers',
  'proxy/config-errors-mapping',
  'proxy/config-errors-sections',
  'proxy/connect',
  'proxy/connections',
  'proxy/error-override',
  'proxy/express',
  'proxy/fcgi-connections',
  'proxy/fcgi-parameters',
  'proxy/fcgi-paths',
  'proxy/fcgi-proxypass',
  'proxy/fcgi-set-env',
  'proxy/forward',
  'proxy/forward-block',
  'proxy/forward-off',
  'proxy/handler-proxy',
  'proxy/hosts-and-ports',
  'proxy/in-htaccess',
  'proxy/logs',
  'proxy/mapping',
  'proxy/mapping-encoded-slashes',
  'proxy/mapping-sections',
  'proxy/max-forwards',
  'proxy/parameters',
  'proxy/request-bodies',
  'proxy/request-headers',
  'proxy/request-headers-order',
  'proxy/response-limits',
  'proxy/responses',
  'proxy/other-modules',
  'proxy/response-filters',
  'proxy/reverse',
  'proxy/reverse-in-sections',
  'proxy/rewrite-proxy',
  'proxy/scgi',
  'proxy/sections-of-proxy',
  'proxy/status-lines',
  'proxy/timeouts',
  'proxy/unreachable',
  'proxy/via',
  'proxy/virtual-hosts',
  'proxy/websocket-http',
  'proxy/websocket-tunnel',
  'proxy/websocket-without-fallback',
  'proxy-fuzz',
  'php',
  'dav',
  'debian-modules/authentication-checks',
  'debian-modules/authentication-htaccess',
  'debian-modules/cache-and-dav-checks',
  'debian-modules/cache-and-dav-htaccess',
  'debian-modules/cgi-checks',
  'debian-modules/content-checks',
  'debian-modules/content-htaccess',
  'debian-modules/md-checks',
  'debian-modules/scripts-and-logs-checks',
  'debian-modules/tls-and-http2-htaccess',
  'small-modules/echo-protocol',
  'small-modules/files-sent-as-they-are',
  'small-modules/forensic-log',
  'small-modules/header-files-of-cern',
  'small-modules/image-maps',
  'small-modules/types-by-content',
  'small-modules/unique-id-and-cookies',
  'substitution',
  'dbd',
  'cgi',
  'forms',
  'ldap',
  'directory-fuzz',
  'aliases-and-providers',
]

/**
 * Cases that depend on the order in which members of a balancer serve, on kept connections of a process, or on a password that replaces a remembered one at
 * once: they are run with one process, because processes learn of each other's figures and answers a moment later. So are those
 * that count what each process logs or read a log that all processes write, and one whose map remembers in each process what it has looked up.
 */
export const ONE_PROCESS = [
  'cache/directives',
  'dbd/query-that-cannot-be-prepared',
  'dbd/rewrite-maps',
  'ldap/cache',
  'ldap/cache-default',
  'proxy/balancer-distribution',
  'proxy/balancer-failover',
  'proxy/balancer-manager',
  'proxy/balancer-sticky',
  'proxy/connections',
  'proxy/fcgi-proxypass',
  'proxy/status-lines',
  'small-modules/forensic-log',
]

/**
 * What must pass, as the two runs of it name it: families and cases that are run with several processes, and cases that are
 * run with one. A family that has some of these is named by its other cases.
 * @returns {{ several: string[], one: string[] }}
 */
export function dueByProcesses() {
  const named = DUE.flatMap((due) => (ONE_PROCESS.some((one) => one.startsWith(`${due}/`)) ? casesOfFamily(due) : [due]))
  return {
    several: named.filter((one) => !ONE_PROCESS.includes(one)),
    one: named.filter((one) => ONE_PROCESS.includes(one)),
  }
}

function casesOfFamily(family) {
  return readdirSync(join(ROOT, 'test/conformance/cases', family))
    .filter((file) => file.endsWith('.case.json'))
    .map((file) => `${family}/${file.slice(0, -'.case.json'.length)}`)
}

const COMPARED_APART = new Set([...WORDED, ...Object.keys(STRICTER)])

/**
 * The cases that are not due: by family, those that are neither in DUE nor in a family that is.
 * @returns {[string, string[]][]} such as `['tls', ['tls/names', ...]]`, in order
 */
export function notDue() {
  const folder = join(ROOT, 'test/conformance/cases')
  return readdirSync(folder)
    .filter((family) => !DUE.includes(family))
    .map((family) => [family, casesOfFamily(family).filter((one) => !DUE.includes(one) && !COMPARED_APART.has(one))])
    .filter(([, cases]) => cases.length > 0)
}
