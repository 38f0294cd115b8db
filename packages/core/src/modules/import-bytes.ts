import { createHash } from 'node:crypto'
import { registerHooks } from 'node:module'

/** The SHA-256 of what this process executed from each URL; Node keeps modules by their URL for as long as it runs. */
const executed = new Map<string, string>()

/** Other bytes of the same file were executed in this process before. */
export class OtherVersionLoaded extends Error {}

/**
 * Imports a module's file with the bytes that were checked. Node would read the file again, and execute whatever it
 * contains by then.
 * @param url the module's file
 * @throws OtherVersionLoaded, or the errors of the module
 */
export async function importBytes(url: string, bytes: Buffer): Promise<unknown> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  let isRead = false
  const hooks = registerHooks({
    load(asked, context, next) {
      if (asked !== url || isRead) return next(asked, context)
      isRead = true
      executed.set(url, digest)
      return { format: 'module', source: bytes, shortCircuit: true }
    },
  })
  try {
    const loaded: unknown = await import(url)
    if (!isRead && executed.get(url) !== digest) throw new OtherVersionLoaded()
    return loaded
  } finally {
    hooks.deregister()
  }
}
