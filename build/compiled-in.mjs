import { join } from 'node:path'
import { compiledInNamesText, compiledInText, layoutText } from '../packages/module-kit/src/install/compiled-in-texts.ts'
import { ROOT } from './inputs.cjs'

/**
 * Replaces settings of the sources by those that configure chose: the compiled-in modules and the layout of
 * the installation.
 * @param {{ modules: readonly string[], layout: object }} configured
 * @returns {import('esbuild').Plugin}
 */
export function compiledIn({ modules, layout }) {
  const sourceOf = (name) => join(ROOT, 'modules', `mod_${name}`, 'src/index.ts')
  const texts = {
    'compiled-in.ts': compiledInText(modules, sourceOf),
    'compiled-in-names.ts': compiledInNamesText(modules),
    'layout.ts': layoutText(layout),
  }
  return {
    name: 'compiled-in',
    setup(build) {
      for (const [file, contents] of Object.entries(texts)) {
        const filter = new RegExp(`/packages/cli/src/${file.replace('.', '\\.')}$`)
        build.onLoad({ filter }, () => ({ contents, loader: 'ts', resolveDir: join(ROOT, 'packages/cli/src') }))
      }
    },
  }
}
