import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Calls `announce` with the path of every module file just before its code is loaded: what it does then cannot be told afterwards. */
export function announceLoading(announce: (file: string) => void): void {
  const announced = new Set<string>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      // Only LoadModule names files by address; all other imports are by name or relative, or a module's own affair.
      if (specifier.startsWith('file:') && !announced.has(context.parentURL ?? '')) {
        announced.add(specifier)
        announce(fileURLToPath(specifier))
      }
      return nextResolve(specifier, context)
    },
  })
}
