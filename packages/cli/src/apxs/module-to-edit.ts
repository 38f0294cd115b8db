import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readModuleFile } from '@gatewright/module-kit/module-file'
import { ApxsFailure } from './failure.ts'
import type { Installation } from './installation.ts'

/** A module for which a LoadModule line is written. */
export interface NamedModule {
  /** Without `_module`. */
  readonly name: string
  /** Its file in LIBEXECDIR, `mod_hello.mjs`. */
  readonly fileName: string
}

/**
 * The module for `-e`, which need not exist: named by -n, by the stamp of the given or installed file, or by
 * a file name `mod_NAME.*`.
 * @param file as on the command line; only its last part is used for the line
 */
export function moduleToEdit(file: string, name: string | undefined, { modules }: Installation): NamedModule {
  const fileName = installedName(file)
  const found = name ?? stampedName(file) ?? stampedName(join(modules, fileName)) ?? /^mod_(\w+)\./.exec(fileName)?.[1]
  if (found === undefined) {
    throw new ApxsFailure(['Sorry, cannot determine bootstrap symbol name', "Please specify one with option `-n'"])
  }
  return { name: found, fileName }
}

/** The name of a module's file in LIBEXECDIR, regardless of the extension that a build script expects. */
export function installedName(file: string): string {
  return `${basename(file).replace(/\.[^.]+$/, '')}.mjs`
}

function stampedName(file: string): string | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined
  return readModuleFile(file).stamp?.module.replace(/_module$/, '')
}
