import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StartContext } from '@gatewright/api'
import { osError, osErrorText } from '@gatewright/log'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { LoadOptions } from './contract.ts'
import type { PersonWait } from './person-wait.ts'

/** What only some start-up hooks have. */
export interface StartContextParts extends Partial<Pick<StartContext, 'print' | 'isFirst'>> {
  /** Absent where nobody is asked. */
  readonly person?: PersonWait | null
}

/** The context that start-up hooks receive. */
export function startContext(
  configuration: ServerConfiguration,
  options: LoadOptions,
  { print = () => undefined, isFirst = false, person = null }: StartContextParts = {},
): StartContext {
  return {
    servers: configuration.servers,
    checkOnly: options.checkOnly,
    isFirst,
    listeners: configuration.process.listeners,
    serverRelative: (path) => configuration.serverRelative(path),
    runtimeRelative: (path) => resolve(configuration.runtimeFolder, path),
    typesConfig: configuration.serverRelative(configuration.standardFiles.typesConfig),
    defined: (name) => configuration.defines.has(name),
    terminal: person?.terminal ?? null,
    awaitPerson: (action) => (person === null ? Promise.resolve(action) : person.during(action)),
    print,
  }
}

/**
 * The folder of a file, with a trailing slash, and the system's reason why it is not available; undefined if
 * it exists.
 */
export function missingFolder(path: string): { readonly folder: string; readonly reason: string } | undefined {
  const folder = dirname(path).replace(/([^/])$/, '$1/')
  try {
    statSync(folder)
    return undefined
  } catch (error) {
    const system = osError(error)
    return { folder, reason: system === undefined ? String(error) : osErrorText(system) }
  }
}
