import { isSyslog, syslogFacility } from '../services/syslog.ts'
import type { LoadedParts } from './loaded-parts.ts'
import { errorLogTargets, mainErrorLog } from './plan.ts'
import { missingFolder } from './start-context.ts'
import { LOGS_FAILED, startError } from './start-error.ts'
import { runStep } from './start-steps.ts'

const CHECK_FAILED = 'AH00014: Configuration check failed'

/** Performs all checks that do not need to open anything. @throws ConfigError */
export async function checkConfiguration(parts: LoadedParts): Promise<void> {
  const { configuration } = parts
  const { lists } = configuration.hooks
  for (const list of [...Object.values(lists), ...configuration.optionalHooks.all]) list.sorted()
  if (parts.options.needsLogFolders ?? true) checkErrorLogFolders(parts)
  configuration.closeRegistration()
  await runStep('checkConfig', lists.checkConfig.sorted(), parts, CHECK_FAILED)
  checkSyslogFacilities(parts)
}

function checkErrorLogFolders({ configuration, options }: LoadedParts): void {
  const { main, servers } = configuration
  for (const server of servers) {
    const target = server === main ? mainErrorLog(configuration) : server.core.errorLog
    if (target === undefined || !target.startsWith('/')) continue
    const missing = missingFolder(target)
    if (missing === undefined) continue
    const whose = server === main ? 'main error log' : `error log of vhost defined at ${server.file}:${server.line}`
    const message = `${missing.reason}: AH02291: Cannot access directory '${missing.folder}' for ${whose}`
    throw startError(options.configFile, { message }, CHECK_FAILED)
  }
}

function checkSyslogFacilities({ configuration, options }: LoadedParts): void {
  for (const target of errorLogTargets(configuration)) {
    if (!isSyslog(target) || syslogFacility(target) !== undefined) continue
    const name = target.slice('syslog:'.length)
    const problem = {
      code: 'AH10036',
      message: `${options.program}: could not open syslog error log ${name}.`,
      hint: 'a facility is one of auth, authpriv, cron, daemon, ftp, kern, lpr, mail, news, syslog, user, uucp and local0 to local7',
    }
    throw startError(options.configFile, problem, LOGS_FAILED)
  }
}
