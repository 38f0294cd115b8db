import { copyFileSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseDocument, printDocument } from '@gatewright/config'
import { replaceFile } from '../replace-file.ts'
import type { ApxsConsole } from './console.ts'
import { ApxsFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import { type LineState, withLoadModule } from './load-module-line.ts'
import type { NamedModule } from './module-to-edit.ts'

/**
 * `-a` and `-A`: adds a LoadModule line for a module, active or commented out. If the configuration has
 * Debian's layout, adds a file in mods-available.
 */
export function activateModule(module: NamedModule, state: LineState, installation: Installation, console: ApxsConsole): void {
  const available = join(installation.configuration, 'mods-available')
  if (existsSync(available)) writeLoadFile(module, state, installation, console)
  else editConfiguration(module, state, installation, console)
}

function editConfiguration(module: NamedModule, state: LineState, installation: Installation, console: ApxsConsole): void {
  const file = join(installation.configuration, `${installation.target}.conf`)
  if (!existsSync(file)) throw new ApxsFailure(`Config file ${file} not found`)
  const content = readFileSync(file, 'latin1')
  // A line after the last one requires that the last one has a line end.
  const text = content === '' || content.endsWith('\n') ? content : `${content}\n`
  const line = { identifier: `${module.name}_module`, path: quoted(pathInConfiguration(module, installation)) }
  const document = withLoadModule(parseDocument(text), line, state)
  if (document === undefined) {
    throw new ApxsFailure([
      `Activation failed for custom ${file} file.`,
      "At least one `LoadModule' directive already has to exist.",
    ])
  }
  console.err(`[${state === 'active' ? 'activating' : 'preparing'} module \`${module.name}' in ${file}]`)
  try {
    copyFileSync(file, `${file}.bak`)
    replaceFile(file, printDocument(document))
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** Like Debian's own: writes `mods-available/NAME.load`, and for -a enables it as a2enmod does. */
function writeLoadFile(module: NamedModule, state: LineState, installation: Installation, console: ApxsConsole): void {
  const { configuration, modules } = installation
  const file = join(configuration, 'mods-available', `${module.name}.load`)
  console.err(`[preparing module \`${module.name}' in ${file}]`)
  try {
    if (existsSync(file)) renameSync(file, `${file}.bak~`)
    writeFileSync(file, `LoadModule ${`${module.name}_module`.padEnd(18)} ${quoted(join(modules, module.fileName))}\n`)
    const link = join(configuration, 'mods-enabled', `${module.name}.load`)
    if (state !== 'active' || existsSync(link)) return
    console.err(`Enabling module ${module.name}.`)
    symlinkSync(`../mods-available/${module.name}.load`, link)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** Relative if the file is below PREFIX, so that the line remains valid when the installation is moved. */
function pathInConfiguration({ fileName }: NamedModule, { modules, prefix }: Installation): string {
  const file = join(modules, fileName)
  const below = prefix === '' ? '..' : relative(prefix, file)
  return below.startsWith('..') ? file : below
}

/** A path as a quoted word of a configuration, in its bytes. */
function quoted(path: string): string {
  const bytes = Buffer.from(path).toString('latin1')
  return /[\s"'\\]/.test(bytes) ? `"${bytes.replaceAll(/["\\]/g, '\\$&')}"` : bytes
}

function cannotWrite(file: string, error: unknown): ApxsFailure {
  return new ApxsFailure(
    `cannot write ${file}: ${reasonOf(error)}`,
    'run apxs as the owner of the configuration, or without -a and -A',
  )
}
