/**
 * What a page has of one of Node's modules. Everything else of the module exists as well, so that it can be named, and
 * throws where it is used.
 */
export function withLacking(name: string, own: object): object {
  const lacking = new Map<string, unknown>()
  return new Proxy(own, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return Reflect.get(target, key)
      if (key === '__esModule' || key === 'then') return undefined
      if (key === 'default') return 'default' in target ? Reflect.get(target, 'default') : withLacking(name, own)
      const known = lacking.get(key)
      if (known !== undefined) return known
      const made = lackingFunction(`${name}.${key}`)
      lacking.set(key, made)
      return made
    },
  })
}

/** A function, or class, that a page does not have. */
function lackingFunction(name: string): object {
  function lack(): never {
    throw Object.assign(new Error(`${name} does not exist in a page`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' })
  }
  return lack
}
