import type { StartHook } from '@gatewright/api'
import type { SortedHook } from '../modules/hook-registry.ts'
import { endConfiguration } from './end-configuration.ts'
import type { LoadedParts } from './loaded-parts.ts'
import { PersonWait } from './person-wait.ts'
import { mainErrorLog } from './plan.ts'
import { startContext } from './start-context.ts'
import { isWithoutWord, startError } from './start-error.ts'
import { runStartHook } from './start-hooks.ts'

/**
 * Runs a start-up hook of modules.
 * @param failure httpd's line about the step, printed after the problem
 * @param isFirst for the first of the processes that start with this configuration
 * @throws ConfigError
 */
export async function runStep(
  name: 'checkConfig' | 'postConfig',
  hook: SortedHook<StartHook>,
  parts: LoadedParts,
  failure: string,
  isFirst = false,
): Promise<void> {
  const person = new PersonWait(parts.options)
  const context = startContext(parts.configuration, parts.options, { isFirst, person })
  const problem = await runStartHook(name, hook, context, {
    isExtended: () => person.takeWaited(),
    isConfined: parts.options.isConfined,
  })
  if (problem === undefined) return refuseLateRegistration(parts)
  endConfiguration(parts)
  if (name === 'postConfig' && isWithoutWord(problem)) parts.services.logs.errors.mainDestination?.write(`${failure}\n`)
  // The module's log lines about it would be lost with the process.
  parts.services.logs.destinations.flushAll()
  const { configFile } = parts.options
  if (!isWithoutWord(problem)) throw startError(configFile, problem, failure)
  if (name === 'checkConfig') throw startError(configFile, { message: failure })
  const errorLog = mainErrorLog(parts.configuration)
  // A tool opens no log.
  if (errorLog === '/dev/null' || parts.options.checkOnly) throw startError(configFile, { message: failure })
  // The error log is open by then, and httpd writes nothing else to the console.
  throw startError(configFile, { message: '', hint: `the error log ${errorLog} says why` })
}

/** Rejects late registrations of modules, which have no effect. @throws ConfigError */
export function refuseLateRegistration(parts: LoadedParts): void {
  const late = parts.configuration.lateRegistration
  if (late === null) return
  endConfiguration(parts)
  const hint = 'wait for what it needs in its register function, which may be async and is awaited'
  throw startError(parts.options.configFile, { message: late, hint })
}
