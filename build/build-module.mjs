// Builds a module of this project with the module kit, in the process of the caller: the result of the module's own build command, without a tsup for each of some hundred modules.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './inputs.cjs'

/** Whether a workspace is a module whose build is that of all modules. */
export function isPlainModule({ name, folder, command }) {
  if (!folder.startsWith('modules/') || command !== 'tsup') return false
  const settings = join(ROOT, folder, 'tsup.config.ts')
  return existsSync(settings) && readFileSync(settings, 'utf8') === plainSettings(name)
}

/**
 * The module kit must have been built.
 * @returns {Promise<{ status: number, output: string }>} like those of a process
 */
export async function buildModuleHere({ name, folder }) {
  try {
    const { buildModule } = await import('../packages/module-kit/dist/index.js')
    await buildModule({ entry: join(ROOT, folder, 'src/index.ts'), outFile: join(ROOT, folder, 'dist', `${name}.mjs`) })
    return { status: 0, output: '' }
  } catch (error) {
    return { status: 1, output: error.message }
  }
}

function plainSettings(name) {
  return `import { moduleConfig } from '@gatewright/module-kit'\n\nexport default moduleConfig('${name}')\n`
}
