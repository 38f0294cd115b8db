import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import type { ApxsConsole } from './console.ts'
import { ApxsFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import { linkPackages } from './packages.ts'

/** The template is a working module of this name. */
const TEMPLATE_NAME = 'hello'
const TEMPLATE_DIRECTIVE = 'Hello'

/** Names of files in the template, on which npm, git and editors would act themselves if they began with a dot. */
const HIDDEN: ReadonlyMap<string, string> = new Map([
  ['gitignore.txt', '.gitignore'],
  ['vscode-launch.json', '.vscode/launch.json'],
])

/** `apxs -g -n NAME`: makes the folder NAME with a complete module package. */
export function generateModule(name: string, installation: Installation, console: ApxsConsole): void {
  if (existsSync(name) && statSync(name).isDirectory()) throw new ApxsFailure(`Directory \`${name}' already exists. Remove first`)
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new ApxsFailure(
      `\`${name}' cannot be the name of a module`,
      'use letters, digits and underscores: the name becomes mod_NAME and NAME_module',
    )
  }
  const template = join(installation.build, 'template')
  const files = globSync('**/*', { cwd: template, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort()
  if (files.length === 0)
    throw new ApxsFailure(`${template} does not exist`, 'the module template is not installed: run build/install again')
  const named = (text: string): string =>
    text.replaceAll(TEMPLATE_NAME, name).replaceAll(TEMPLATE_DIRECTIVE, directiveName(name)).replaceAll('@API@', API_VERSION)
  try {
    console.err(`Creating [DIR]  ${name}`)
    mkdirSync(name)
    for (const file of files) {
      const target = join(name, HIDDEN.get(file) ?? named(file))
      console.err(`Creating [FILE] ${target}`)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, named(readFileSync(join(template, file), 'utf8')))
    }
    linkPackages(name, installation, console)
  } catch (error) {
    throw new ApxsFailure(`cannot create ${name}: ${reasonOf(error)}`, 'change to a folder in which you have write permission')
  }
}

/** `rate_limit` -> `RateLimit` */
function directiveName(name: string): string {
  return name.replaceAll(/(?:^|_+)([a-z0-9]?)/gi, (_, letter: string) => letter.toUpperCase())
}
