/**
 * An object of the server, for example a request, with forced values for some of its properties. Assignments
 * to the result do not reach the object.
 */
export function altered<T extends object>(real: T, changes: Partial<T>): T {
  const forced = new Map<PropertyKey, unknown>(Reflect.ownKeys(changes).map((key) => [key, Reflect.get(changes, key)]))
  return new Proxy(real, {
    get(target, key) {
      if (forced.has(key)) return forced.get(key)
      // Accessors and methods of the server's classes need the object itself.
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set(_target, key, value) {
      forced.set(key, value)
      return true
    },
    has: (target, key) => forced.has(key) || Reflect.has(target, key),
  })
}
