// Bugs that are planted into our modules on purpose: the comparison must find each.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundling } from '../../packages/module-kit/src/bundling.ts'
import { finishModule } from '../../packages/module-kit/src/finish.ts'
import { ROOT } from './sides.mjs'

/** By name: what goes wrong, and the place in the sources of a module that is changed for it. */
export const PLANTS = {
  'denied-before-no-user': {
    bug: 'a RequireAny whose first member refuses forgets that a later one asked for a user: 403 instead of a challenge',
    module: 'mod_authz_core',
    file: 'decision/evaluate.ts',
    find: "return soFar === 'denied-no-user' ? soFar : status === 'denied-no-user' ? status : soFar",
    replace: 'return soFar',
  },
  'satisfy-for-get-only': {
    bug: 'Satisfy Any is not heard for POST',
    module: 'mod_access_compat',
    file: 'index.ts',
    find: 'host.configOf(request).satisfy[request.methodNumber]',
    replace: "(request.method === 'POST' ? undefined : host.configOf(request).satisfy[request.methodNumber])",
  },
  'allow-beats-deny': {
    bug: 'Order allow,deny lets Allow win where both match',
    module: 'mod_access_compat',
    file: 'host-access.ts',
    find: 'first && !second',
    replace: 'first',
  },
  'negated-no-user': {
    bug: 'a negated line that has no user to look at yet asks for one instead of having nothing to say',
    module: 'mod_authz_core',
    file: 'decision/evaluate.ts',
    find: "value = node.negated ? 'neutral' : status",
    replace: "value = node.negated && status === 'denied' ? 'neutral' : status",
  },
  'limited-denies': {
    bug: 'a member limited to other methods refuses in a RequireAny instead of having nothing to say',
    module: 'mod_authz_core',
    file: 'decision/evaluate.ts',
    find: "const status = within === 'all' ? 'granted' : 'neutral'",
    replace: "const status = within === 'all' ? 'granted' : 'denied'",
  },
  'group-case': {
    bug: 'upper and lower case count in the names of groups',
    module: 'mod_authz_groupfile',
    file: 'membership.ts',
    find: 'if (wanted.some((group) => groups.has(groupKey(group))))',
    replace: 'if (wanted.some((group) => groups.has(group)))',
  },
  'short-network': {
    bug: 'an address of two numbers, 127.0, stands for its first 24 bits',
    module: 'mod_authz_host',
    file: 'packages/ipset/src/network-text.ts',
    find: 'prefixMask(4, length))',
    replace: 'prefixMask(4, length === 16 ? 24 : length))',
  },
}

/**
 * Makes a folder with all our modules, one of them with the bug.
 * @throws if the source no longer says what is to be changed
 */
export async function plantedModules(name, folder) {
  const { module, replace } = PLANTS[name]
  const { changed, text, find } = placeOfPlant(name)
  mkdirSync(folder, { recursive: true })
  const staged = join(ROOT, 'dist/modules')
  for (const each of readdirSync(staged)) copyFileSync(join(staged, each), join(folder, each))
  const planting = {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === changed ? { contents: text.replace(find, () => replace), loader: 'ts' } : undefined,
      )
    },
  }
  const source = join(ROOT, 'modules', module)
  const entry = join(source, 'src/index.ts')
  const outfile = join(folder, `${module}.mjs`)
  await build({ ...bundling(source), entryPoints: [entry], outfile, plugins: [planting], logLevel: 'silent' })
  await finishModule(outfile, entry, module)
}

/**
 * The source that a planted bug changes.
 * @throws if it no longer says what is to be changed
 */
export function placeOfPlant(name) {
  const { module, file, find } = PLANTS[name]
  const changed = file.startsWith('packages/') ? join(ROOT, file) : join(ROOT, 'modules', module, 'src', file)
  const text = readFileSync(changed, 'utf8')
  if (text.split(find).length !== 2)
    throw new Error(`${changed} does not say "${find}" once: adapt the planted bug ${name} in plants.mjs`)
  return { changed, text, find }
}
