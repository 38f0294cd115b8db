import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StartContext } from '@gatewright/api'
import type { Generation } from '../config/generation.ts'
import type { LoadOptions } from './contract.ts'

/** What start-up hooks are told. */
export function startContext(
  generation: Generation,
  options: LoadOptions,
  print: (line: string) => void = () => undefined,
): StartContext {
  return {
    servers: generation.servers,
    checkOnly: options.checkOnly,
    serverRelative: (path) => generation.serverRelative(path),
    typesConfig: generation.serverRelative(generation.standardFiles.typesConfig),
    defined: (name) => generation.defines.has(name),
    print,
  }
}

/** Folder of a log file, when it is missing; undefined when it is there. */
export function missingFolder(path: string): string | undefined {
  const folder = dirname(path)
  return existsSync(folder) ? undefined : folder
}
