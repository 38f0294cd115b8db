import { globSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { place } from './place.ts'

/**
 * Writes the paths of a staged server root to `build/config_vars.mk`, for apxs. The paths are those of a
 * plain installation, so that it can be moved.
 */
export async function stageConfigVars(root: string): Promise<void> {
  // Not before: this imports packages/api, which a first build has yet to make.
  const { plainVariables } = await import('../packages/module-kit/src/install/plain-variables.ts')
  const modules = globSync('mod_*.mjs', { cwd: join(root, 'modules') }).map((name) => basename(name, '.mjs').slice('mod_'.length))
  mkdirSync(join(root, 'build'), { recursive: true })
  place(join(root, 'build/config_vars.mk'), plainVariables(root, modules.sort()))
}
