import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { ROOT } from '../inputs.cjs'

const HERE = join(ROOT, 'build/playground')
const MODULES = join(ROOT, 'modules')

/** The script that answers questions about configurations, for a page: it has all modules, and no file, socket or process. */
export interface EngineBundle {
  readonly script: string
  /** The libraries in it, by the name of their package, with the texts of their licences. */
  readonly licences: ReadonlyMap<string, string>
}

export async function bundleEngine(): Promise<EngineBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(HERE, 'engine/worker.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    conditions: ['gatewright-source', 'module'],
    inject: [join(HERE, 'stand-ins/globals.ts')],
    define: { 'import.meta.url': '"file:///usr/local/gatewright/lib/gatewright.mjs"', global: 'globalThis' },
    plugins: [linkedModules(), standIns()],
    loader: { '.types': 'text' },
    logLevel: 'warning',
  })
  return { script: outputFiles[0].text, licences: licencesOf(Object.keys(metafile.inputs)) }
}

/** @throws Error for a library without a licence */
function licencesOf(inputs: readonly string[]): ReadonlyMap<string, string> {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return new Map(
    [...new Set(names)].sort().map((name) => {
      const folder = join(ROOT, 'node_modules', name)
      const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(each))
      if (file === undefined) throw new Error(`${name} has no licence file`)
      return [name, readFileSync(join(folder, file), 'utf8')]
    }),
  )
}

/** Names of the files of all modules. */
function moduleNames(): string[] {
  return readdirSync(MODULES).filter((name) => existsSync(join(MODULES, name, 'src/index.ts')))
}

/** Sources that read code, certificates or keys, and what takes their place. */
const REPLACED: readonly (readonly [file: string, own: string])[] = [
  ['packages/core/src/modules/loader.ts', 'linked-loader.ts'],
  ['modules/mod_ssl/src/start/prepare-servers.ts', 'page-ssl-start.ts'],
  ['modules/mod_ssl/src/lint/rules.ts', 'page-ssl-lint.ts'],
]

/** Links all modules, which a server loads from files. */
function linkedModules(): Plugin {
  return {
    name: 'linked-modules',
    setup(build) {
      build.onLoad({ filter: /\/build\/playground\/linked-modules\.ts$/ }, () => {
        const names = moduleNames()
        const imports = names.map((name, index) =>
          name === 'mod_ssl'
            ? `import { pageSsl as m${index} } from '${join(HERE, 'engine/page-ssl.ts')}'`
            : `import m${index} from '${join(MODULES, name, 'src/index.ts')}'`,
        )
        const entries = names.map((name, index) => `['${name}.mjs', m${index}]`)
        return { contents: `${imports.join('\n')}\nexport const LINKED = new Map([${entries.join(', ')}])`, resolveDir: ROOT }
      })
      for (const [file, own] of REPLACED) {
        const filter = new RegExp(`/${file.replaceAll('.', '\\.')}$`)
        build.onLoad({ filter }, () => ({ contents: `export * from '${join(HERE, 'engine', own)}'`, resolveDir: ROOT }))
      }
    },
  }
}

const BUILT_IN = new RegExp(`^(?:node:)?(?:${builtinModules.filter((name) => !name.startsWith('_')).join('|')}|sqlite)$`)
/** Clients of databases, which no page can reach. */
const LEFT_OUT = /^(?:pg|mysql2\/promise)$/

/** Replaces Node's own modules. */
function standIns(): Plugin {
  return {
    name: 'stand-ins',
    setup(build) {
      build.onResolve({ filter: BUILT_IN }, ({ path }) => ({ path: path.replace(/^node:/, ''), namespace: 'stand-in' }))
      build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: 'stand-in' }))
      build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => {
        const own = join(HERE, 'stand-ins', `${path.replace('path/posix', 'path').replaceAll('/', '-').replaceAll('_', '-')}.ts`)
        const made = existsSync(own) ? `require('${own}')` : '{}'
        const lacking = join(HERE, 'stand-ins/lacking.ts')
        return {
          contents: `module.exports = Object.create(require('${lacking}').withLacking('${path}', ${made}))`,
          loader: 'js',
          resolveDir: ROOT,
        }
      })
    },
  }
}
