import { copyFileSync, existsSync, globSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './inputs.cjs'
import { place } from './place.ts'
import { PROGRAM_BUNDLING } from './program-bundling.ts'

/** The files of each package that apxs and editors of generated modules need. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  typescript: ['LICENSE.txt', 'ThirdPartyNoticeText.txt', 'lib/typescript.js', 'lib/lib.*.d.ts'],
  esbuild: ['LICENSE.md', 'lib/main.js'],
  [`@esbuild/${process.platform}-${process.arch}`]: ['bin/esbuild'],
  '@types/node': ['LICENSE', '**/*.d.ts'],
  'undici-types': ['LICENSE', '*.d.ts'],
}

/**
 * Stages the files of apxs: `build/toolchain`, so that it needs neither registry nor network, and
 * `build/template`, the template of module packages.
 */
export async function stageToolchain(root: string): Promise<void> {
  const folder = join(root, 'build/toolchain')
  for (const [name, patterns] of Object.entries(PACKAGES)) stagePackage(name, patterns, join(folder, 'node_modules', name))
  const { outputFiles } = await build({
    ...PROGRAM_BUNDLING,
    entryPoints: { 'module-kit': 'packages/module-kit/src/index.ts' },
    outdir: folder,
    external: ['typescript', 'esbuild'],
    write: false,
  })
  for (const { path, contents } of outputFiles) place(path, contents)
  // The guide that apxs recommends for a module of another line of the API.
  place(join(folder, 'UPGRADING.md'), readFileSync(join(ROOT, 'UPGRADING.md')))
  stageTemplate(join(ROOT, 'packages/module-kit/template'), join(root, 'build/template'))
}

function stageTemplate(source: string, target: string): void {
  for (const file of globSync('**/*.*', { cwd: source })) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    place(join(target, file), readFileSync(join(source, file)))
  }
}

/**
 * A package's files never change without its version, so the version shows whether it changed. Its
 * package.json comes last and marks the package as complete.
 */
function stagePackage(name: string, patterns: readonly string[], target: string): void {
  const source = join(ROOT, 'node_modules', name)
  const manifest = readFileSync(join(source, 'package.json'))
  const staged = join(target, 'package.json')
  if (existsSync(staged) && readFileSync(staged).equals(manifest)) return
  rmSync(target, { recursive: true, force: true })
  for (const file of globSync([...patterns], { cwd: source })) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    linkOrCopy(join(source, file), join(target, file))
  }
  place(staged, manifest)
}

/** A second name of the same file where the file system allows it. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}
