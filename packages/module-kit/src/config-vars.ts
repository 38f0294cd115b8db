import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FOLDERS } from './configure/folders.ts'

/** Each variable is also present under the name `exp_NAME`. */
const NAMES: ReadonlySet<string> = new Set(FOLDERS)

/** The names and values of an installation, in the order of the file. */
export type ConfigVars = ReadonlyMap<string, string>

/**
 * Reads `config_vars.mk`, which lists the folders and settings of an installation. References to other names,
 * `${prefix}` and `$(prefix)`, are expanded. A relative folder is relative to the parent of the file's
 * folder, so an installed tree can be moved as a whole.
 * @throws the error of reading the file
 */
export function readConfigVars(file: string): ConfigVars {
  return parseConfigVars(readFileSync(file, 'utf8'), dirname(dirname(resolve(file))))
}

/** @param base the folder that relative folders are relative to */
export function parseConfigVars(text: string, base: string): ConfigVars {
  const written = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const found = /^\s*([^\s=#][^=]*?)\s*=\s*(.*?)\s*$/.exec(line)
    if (found !== null) written.set(found[1], found[2])
  }
  return new Map(Array.from(written, ([name, value]) => [name, valueMeant(name, expand(value, written, [name]), base)]))
}

function expand(value: string, written: ConfigVars, within: readonly string[]): string {
  return value.replaceAll(/\$(?:\{(\w+)\}|\((\w+)\))/g, (reference: string, braced?: string, bracketed?: string) => {
    const name = braced ?? bracketed ?? ''
    const meant = written.get(name)
    // Undefined and circular references are left as written.
    return meant === undefined || within.includes(name) ? reference : expand(meant, written, [...within, name])
  })
}

function valueMeant(name: string, value: string, base: string): string {
  return value !== '' && NAMES.has(name.replace(/^exp_/, '')) ? resolve(base, value) : value
}
