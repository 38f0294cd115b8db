import { clientRequest, cookieOf } from './cookie.ts'
import { expand } from './expand.ts'
import type { RewriteRule } from './rule.ts'
import type { Run } from './run.ts'

/** Flag E: `NAME`, `NAME:VALUE`, or `!NAME`, which unsets the variable. */
export function setVariables(run: Run, { environment }: RewriteRule): void {
  for (const template of environment) {
    const text = expand(run, template, null)
    if (run.waiting !== null) return
    if (text.startsWith('!')) {
      run.request.env.unset(text.slice(1))
      run.trace?.write(5, null, `unsetting env variable '${text.slice(1)}'`)
      continue
    }
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1)
    run.request.env.set(name, value)
    run.trace?.write(5, null, `setting env variable '${name}' to '${value}'`)
  }
}

/** Flag CO. A cookie is set once per client request, even if redirects apply the rule again. */
export function setCookies(run: Run, { cookies }: RewriteRule): void {
  for (const template of cookies) {
    const cookie = cookieOf(expand(run, template, null), run.request.receivedAt)
    if (run.waiting !== null) return
    if (cookie === null) continue
    const client = clientRequest(run.request)
    const mark = `${cookie.name}_rewrite`
    if (client.notes.has(mark)) {
      run.trace?.write(5, null, `skipping already set cookie '${cookie.name}'`)
      continue
    }
    client.notes.set(mark, 'set')
    client.errHeadersOut.add('Set-Cookie', cookie.field)
    run.trace?.write(5, null, `setting cookie '${cookie.field}'`)
  }
}
