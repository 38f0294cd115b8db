import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath } from '../byte-path.ts'

/**
 * Adopts the variables that an `envvars` file beside a configuration exports, as apachectl does before it starts a
 * server. The file is a shell script: it is parsed, never executed, so that a configuration of another machine
 * can be examined. Lines that need a shell are ignored.
 */
export function adoptEnvironment(folder: string): void {
  for (const [name, value] of Object.entries(exportedVariables(textOf(join(folder, 'envvars')), folder, process.env)))
    process.env[name] = value
}

function textOf(path: string): string {
  try {
    return readFileSync(bytePath(path), 'utf8')
  } catch {
    return ''
  }
}

/**
 * The variables that a shell script exports with values made of words, other variables and quotes.
 * @param folder of the script; Debian's derives a suffix from it: /etc/apache2-second
 */
export function exportedVariables(
  script: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const suffix = /\/apache2(-[\w-]+)\/?$/.exec(folder)?.[1] ?? ''
  const known = new Map<string, string>([['SUFFIX', suffix]])
  const exported: Record<string, string> = {}
  for (const line of script.split('\n')) {
    const [, isExport, name, written] = /^\s*(export\s+)?([A-Za-z_]\w*)=(\S*|"[^"]*"|'[^']*')\s*(?:#.*)?$/.exec(line) ?? []
    if (name === undefined || written === undefined || name === 'SUFFIX' || /[`]|\$\(/.test(written)) continue
    const value = expanded(written, (variable) => known.get(variable) ?? environment[variable] ?? '')
    known.set(name, value)
    if (isExport !== undefined) exported[name] = value
  }
  return exported
}

function expanded(written: string, lookUp: (name: string) => string): string {
  if (written.startsWith("'")) return written.slice(1, -1)
  const bare = written.replace(/^"(.*)"$/, '$1')
  return bare.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, plain?: string) => lookUp(braced ?? plain ?? ''))
}
