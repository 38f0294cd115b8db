import type { HostCheck } from './host.ts'

/** When this many names are cached, the cache is emptied, because clients can invent names. */
const LIMIT = 256

/** Valid Host fields, so that each one is parsed only once. */
export class HostCache {
  readonly #strict = new Map<string, HostCheck>()
  readonly #unsafe = new Map<string, HostCheck>()

  get(field: string, strict: boolean): HostCheck | undefined {
    return (strict ? this.#strict : this.#unsafe).get(field)
  }

  set(field: string, strict: boolean, check: HostCheck): void {
    const checks = strict ? this.#strict : this.#unsafe
    if (checks.size >= LIMIT) checks.clear()
    checks.set(field, check)
  }
}
