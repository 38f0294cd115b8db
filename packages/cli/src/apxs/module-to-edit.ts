import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readModuleFile } from '@gatewright/module-kit/module-file'
import { ApxsFailure } from './failure.ts'
import type { Installation } from './installation.ts'

/** A module that a LoadModule line is written for. */
export interface NamedModule {
  /** Without `_module`. */
  readonly name: string
  /** Its file in LIBEXECDIR, `mod_hello.mjs`. */
  readonly fileName: string
}

/**
 * What `-e` is about, which need not be there: named by -n, or by the stamp of the file as it is given or installed, or by a file name `mod_NAME.*`.
 * @param file as in the command line; only its last part counts for the line
 */
export function moduleToEdit(file: string, name: string | undefined, { modules }: Installation): NamedModule {
  const fileName = installedName(file)
  const found = name ?? stampedName(file) ?? stampedName(join(modules, fileName)) ?? /^mod_(\w+)\./.exec(fileName)?.[1]
  if (found === undefined) {
    throw new ApxsFailure(['Sorry, cannot determine bootstrap symbol name', "Please specify one with option `-n'"])
  }
  return { name: found, fileName }
}

/** What a module's file is called in LIBEXECDIR, whatever ending a build script expects. */
export function installedName(file: string): string {
  return `${basename(file).replace(/\.[^.]+$/, '')}.mjs`
}

function stampedName(file: string): string | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined
  return readModuleFile(file).stamp?.module.replace(/_module$/, '')
}
