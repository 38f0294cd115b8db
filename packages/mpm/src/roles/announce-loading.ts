import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Calls `announce` with the path of each module file immediately before its code is loaded, because the code
 * might block or end the process.
 */
export function announceLoading(announce: (file: string) => void): void {
  const announced = new Set<string>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      // Only LoadModule names files by URL; all other imports are by name or relative, or internal to a
      // module.
      if (specifier.startsWith('file:') && !announced.has(context.parentURL ?? '')) {
        announced.add(specifier)
        announce(fileURLToPath(specifier))
      }
      return nextResolve(specifier, context)
    },
  })
}
