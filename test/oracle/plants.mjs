// Bugs that are planted into our modules or program on purpose: the comparison must find each.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PROGRAMS } from '../../build/bundle.mjs'
import { PROGRAM_BUNDLING } from '../../build/program-bundling.ts'
import { bundling } from '../../packages/module-kit/src/bundling.ts'
import { finishModule } from '../../packages/module-kit/src/finish.ts'
import { ROOT } from './sides.mjs'

/** Instead of a module: the bug is in the program itself. */
const PROGRAM = 'the program'

/** By name: what goes wrong, and the places in the sources that are changed for it. Files are those of the module, or of a package. */
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
  'shared-decision': {
    bug: 'a redirect or sub-request with the configuration of the request before it is never authorized again',
    module: PROGRAM,
    file: 'packages/core/src/lifecycle/access.ts',
    find: 'const origin = sharing(request, memory)',
    replace: 'const before = request.main ?? request.prev; const origin = before?.config === request.config ? before : null',
  },
  'leading-slashes': {
    bug: 'modules see all slashes in front of a URL until it is normalised',
    module: PROGRAM,
    edits: [
      { file: 'packages/http/src/target.ts', find: 'const target = withoutLeadingSlashes(sent)', replace: 'const target = sent' },
      {
        file: 'packages/core/src/lifecycle/uri.ts',
        find: 'normalizePath(request.uri, slashesOf(request))',
        replace: "normalizePath(request.uri.replace(/^[/]+/, '/'), slashesOf(request))",
      },
    ],
  },
  'unmerged-leading-slashes': {
    bug: 'with MergeSlashes Off all slashes in front of a URL are kept',
    module: PROGRAM,
    file: 'packages/core/src/lifecycle/uri.ts',
    find: 'normalizePath(request.uri, slashesOf(request))',
    // Whether slashes are merged is not known before the host is.
    replace:
      "normalizePath(slashesOf(request) === 'keep' && request.prev === null && request.main === null ? request.unparsedUri.slice(0, Math.max(0, request.unparsedUri.search(/[^/]|$/) - 1)) + request.uri : request.uri, slashesOf(request))",
  },
  'engine-of-the-server': {
    bug: 'RewriteEngine in Location or If does not enable the rules of the server',
    module: 'mod_rewrite',
    edits: [
      {
        file: 'directives.ts',
        find: 'config.engine = on\n',
        replace: 'config.engine = on\n      if (config.own !== null) config.own.engine = on\n',
      },
      {
        file: 'config.ts',
        find: 'return {\n    server: over.server,\n',
        replace: 'return {\n    engine: over.engine ?? base.engine,\n    server: over.server,\n',
      },
      {
        file: 'translate.ts',
        find: 'if (own === null || own.server !== request.server)',
        replace: 'if (own === null || own.server !== request.server || own.engine !== true)',
      },
    ],
  },
  'section-for-a-file': {
    bug: 'a Directory section that fits a file counts also where links are not followed',
    module: PROGRAM,
    file: 'packages/core/src/sections/directory-walk.ts',
    find: "const named = pathInfo === '' && followsAllLinks(state)",
    replace: "const named = pathInfo === ''",
  },
}

/**
 * Makes a folder with all our modules, or with the program, with the bug inside.
 * @returns the options for `bothSides`
 * @throws if the source does not contain the text to replace any more
 */
export async function plantedServer(name, folder) {
  const { module } = PLANTS[name]
  const changes = placesOfPlant(name)
  const planting = {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => (path in changes ? { contents: changes[path], loader: 'ts' } : undefined))
    },
  }
  return module === PROGRAM ? plantedProgram(folder, planting) : plantedModules(module, folder, planting)
}

async function plantedModules(module, folder, planting) {
  mkdirSync(folder, { recursive: true })
  const staged = join(ROOT, 'dist/modules')
  for (const each of readdirSync(staged)) copyFileSync(join(staged, each), join(folder, each))
  const source = join(ROOT, 'modules', module)
  const entry = join(source, 'src/index.ts')
  const outfile = join(folder, `${module}.mjs`)
  await build({ ...bundling(source), entryPoints: [entry], outfile, plugins: [planting], logLevel: 'silent' })
  await finishModule(outfile, entry, module)
  return { moduleDir: folder }
}

/** A program finds its other files beside itself. */
async function plantedProgram(folder, planting) {
  const staged = join(ROOT, 'dist')
  for (const part of ['bin', 'lib']) mkdirSync(join(folder, part), { recursive: true })
  copyFileSync(join(staged, 'bin/httpd'), join(folder, 'bin/httpd'))
  symlinkSync(join(staged, 'bin/node'), join(folder, 'bin/node'))
  for (const each of readdirSync(join(staged, 'lib'))) copyFileSync(join(staged, 'lib', each), join(folder, 'lib', each))
  const entryPoints = { httpd: join(ROOT, PROGRAMS.httpd) }
  await build({ ...PROGRAM_BUNDLING, entryPoints, outdir: join(folder, 'lib'), plugins: [planting], logLevel: 'silent' })
  return { program: join(folder, 'bin/httpd') }
}

/**
 * The sources that a planted bug changes, by path, with the bug in them.
 * @throws if one does not contain the text to replace
 */
export function placesOfPlant(name) {
  const { module, edits = [PLANTS[name]] } = PLANTS[name]
  const changes = {}
  for (const { file, find, replace } of edits) {
    const path = file.startsWith('packages/') ? join(ROOT, file) : join(ROOT, 'modules', module, 'src', file)
    const text = changes[path] ?? readFileSync(path, 'utf8')
    if (text.split(find).length !== 2)
      throw new Error(`${path} does not contain "${find}" once: adapt the planted bug ${name} in plants.mjs`)
    changes[path] = text.replace(find, () => replace)
  }
  return changes
}
