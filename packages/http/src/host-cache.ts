import type { HostCheck } from './host.ts'

/** Beyond this many names all are forgotten: clients may make them up. */
const LIMIT = 256

/** Host fields that were found good, so that the same one is not taken apart for each connection. */
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
