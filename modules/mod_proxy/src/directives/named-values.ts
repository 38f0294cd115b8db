/** Parameters of one line by name, in the order in which their names occur first. */
export class NamedValues {
  readonly #values = new Map<string, readonly [name: string, value: string]>()

  /** As in httpd, the last value of a name counts: `status=+S status=+I` is `status=+I`. */
  set(name: string, value: string): void {
    const key = name.toLowerCase()
    this.#values.set(key, [this.#values.get(key)?.[0] ?? name, value])
  }

  get list(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values.values()]
  }
}
