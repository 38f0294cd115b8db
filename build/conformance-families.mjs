import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './inputs.cjs'

/**
 * Families of test/conformance/cases that must pass whole, and cases of others. A family that is complete is added here, and then stays.
 * Of the family http all cases are due but http/bodies: in four of its probes a built-in error page is not the only answer on its connection, and there the
 * suite compares the words of the page, which are our own. The family framing asks the same with error documents.
 * Of the family logs all cases are due but logs/format-items: it counts the bytes of heads, and our value of Server is one byte longer than that of the httpd that was
 * recorded, and of a built-in redirect page. test/log-items.test.ts compares all items with httpd.
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
]

/** The families that are still being worked on: counted in CI, without consequence. */
export function notDue() {
  return readdirSync(join(ROOT, 'test/conformance/cases')).filter((family) => !DUE.includes(family))
}
