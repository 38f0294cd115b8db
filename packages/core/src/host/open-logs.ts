import type { LogLevelName } from '@gatewright/api'
import { MissingProgram } from '../services/log-target.ts'
import { endConfiguration } from './end-configuration.ts'
import type { LoadedParts } from './loaded-parts.ts'
import { mainErrorLog } from './plan.ts'
import { startContext } from './start-context.ts'
import { isWithoutWord, LOGS_FAILED, startError } from './start-error.ts'
import { runStartHook } from './start-hooks.ts'

/** Opens the error logs and the modules' logs. @throws ConfigError */
export async function openLogs(parts: LoadedParts): Promise<void> {
  const { configuration, services, options } = parts
  try {
    services.logs.errors.open(configuration.servers, configuration.serverRelative(configuration.standardFiles.errorLog))
  } catch (error) {
    // A virtual host may have its own log.
    const target = error instanceof Error && 'path' in error ? String(error.path) : mainErrorLog(configuration)
    const problem = {
      code: 'AH00091',
      message: `${options.program}: could not open error log file ${target}.`,
      cause: error instanceof Error ? error : undefined,
      hint: error instanceof MissingProgram ? error.message : undefined,
    }
    throw startError(options.configFile, problem, LOGS_FAILED)
  }
  configuration.reportTo((module: string, level: LogLevelName, code: string, text: string) =>
    services.logs.errors.write(null, { shortName: module, source: `${module}.c` }, level, code, text),
  )
  reportWithoutEffect(parts)
  reportUnknownNames(parts)
  await openModuleLogs(parts)
}

/**
 * A module may write its reason to the error log, which is open by then, and return no text. Then the
 * console only refers to the log.
 */
async function openModuleLogs(parts: LoadedParts): Promise<void> {
  const { configuration, services, options } = parts
  const hook = configuration.hooks.lists.openLogs.sorted()
  const problem = await runStartHook('openLogs', hook, startContext(configuration, options))
  if (problem === undefined) return
  endConfiguration(parts)
  const isSilent = isWithoutWord(problem)
  if (isSilent) services.logs.errors.mainDestination?.write(`${LOGS_FAILED}\n`)
  services.logs.destinations.flushAll()
  if (!isSilent) throw startError(options.configFile, problem, LOGS_FAILED)
  const message = `${options.program}: a log could not be opened: see the error log ${mainErrorLog(configuration)}`
  throw startError(options.configFile, { message })
}

/** Reports all directives without effect in one line: most are harmless, and many lines would obscure others. */
function reportWithoutEffect({ configuration }: LoadedParts): void {
  const { withoutEffect } = configuration
  if (withoutEffect.size === 0) return
  const names = [...withoutEffect].map(([name, place]) => `${name} (${place})`).join(', ')
  configuration.report('core', 'info', '', `accepted without effect: ${names}`)
}

/**
 * Reports names of modules that are not loaded in the order of functions, because a misspelt name would have
 * no other symptom.
 */
function reportUnknownNames({ configuration, services }: LoadedParts): void {
  const { hooks, optionalHooks, registry } = configuration
  if (!services.logs.core.enabled(null, 'debug')) return
  for (const list of [...Object.values(hooks.lists), ...optionalHooks.all]) {
    for (const { of, source } of list.demands()) {
      if (registry.modules.some(({ module }) => module.source === source)) continue
      services.logs.core.write(null, 'debug', '', `hook ${list.name}: ${of} names ${source}, which is not loaded`)
    }
  }
}
