import type { HeaderFields } from './header-fields.ts'
import { checkHost, type HostCheck } from './host.ts'
import type { ParsedTarget } from './target.ts'

/** When this many names are cached, the cache is emptied, because clients can invent names. */
const LIMIT = 256

/** Valid Host fields, so that each one is parsed only once. */
export class HostCache {
  readonly #strict = new Map<string, HostCheck>()
  readonly #unsafe = new Map<string, HostCheck>()

  /** As `checkHost`. Most requests name the same host: a field that is valid is not validated again. */
  check(
    fields: HeaderFields,
    version: number,
    strict: boolean,
    target: ParsedTarget | null = null,
    scheme: string = 'http',
  ): HostCheck {
    const field = fields.get('host')
    if (field === undefined || field === '' || (target !== null && target.host !== null)) {
      return checkHost(fields, version, strict, target, scheme)
    }
    const checks = strict ? this.#strict : this.#unsafe
    const known = checks.get(field)
    if (known !== undefined) return known
    const check = checkHost(fields, version, strict, target, scheme)
    if (check.refusal !== null) return check
    if (checks.size >= LIMIT) checks.clear()
    checks.set(field, check)
    return check
  }
}
