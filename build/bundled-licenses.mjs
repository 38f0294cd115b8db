import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './inputs.cjs'

/**
 * The license files of all packages that esbuild lists as parts of bundles.
 * @param {readonly Uint8Array[]} bundles
 * @returns {{ name: string, file: string }[]} a name for a file, and the license, relative to the project
 * @throws Error for a package without a license
 */
export function licensesOf(bundles) {
  const names = new Set(
    bundles.flatMap((content) =>
      [
        ...Buffer.from(content)
          .toString()
          .matchAll(/^\s*\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
      ].map(([, name]) => name),
    ),
  )
  return [...names].sort().map((name) => {
    const found = readdirSync(join(ROOT, 'node_modules', name)).find((file) => /^licen[cs]e(\.md|\.txt)?$/i.test(file))
    if (found === undefined) throw new Error(`${name} has no licence file`)
    return { name: name.replace('/', '-'), file: join('node_modules', name, found) }
  })
}
