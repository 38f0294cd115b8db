const wait = globalThis.setTimeout

export function setTimeout<T>(ms: number, value?: T): Promise<T | undefined> {
  return new Promise((resolve) => wait(() => resolve(value), ms))
}

export function setImmediate<T>(value?: T): Promise<T | undefined> {
  return setTimeout(0, value)
}
