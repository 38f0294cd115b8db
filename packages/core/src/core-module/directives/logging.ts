import { directive, type SetResult } from '@gatewright/api'
import { compileErrorLogFormat, parseLevelWord, UNSET_LEVELS, withLevel, withModuleLevel } from '@gatewright/log'
import { internals } from '../../config/command-impl.ts'
import { isProgram } from '../../services/log-program.ts'
import { isSyslog } from '../../services/syslog.ts'
import { CONF_FILES, type CoreTable, GLOBAL, SERVERS } from './types.ts'

/** The error log and its levels. */
export const loggingDirectives: CoreTable = {
  ErrorLog: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'destination of error messages: file, |program or syslog',
    set: (config, target, command) => {
      config.errorLog = isProgram(target) || isSyslog(target) ? target : command.serverRelative(target)
    },
  }),
  ErrorLogFormat: directive.take12({
    scope: 'server',
    context: SERVERS,
    help: 'format of error log lines',
    set: (config, first, second) => {
      const compiled = compileErrorLogFormat(first, second)
      if (typeof compiled === 'string') return compiled
      if (second === undefined) config.errorLogFormat = first
      else (first.toLowerCase() === 'connection' ? config.connectionLogFormats : config.requestLogFormats).push(second)
      return undefined
    },
  }),
  LogLevel: directive.iterate({
    scope: 'directory',
    context: CONF_FILES,
    help: 'lowest severity that is logged, or module:level',
    set: (config, word, command): SetResult => {
      const parsed = parseLevelWord(word)
      if (typeof parsed === 'string') return parsed
      const before = config.levels ?? UNSET_LEVELS
      if (parsed.module === undefined) {
        config.levels = withLevel(before, parsed.level)
        return undefined
      }
      const found = internals(command).context.configuration.registry.findForLog(parsed.module)
      if (found === undefined) return `Cannot find module ${parsed.module}`
      config.levels = withModuleLevel(before, found.shortName, parsed.level)
      return undefined
    },
  }),
  ExtendedStatus: directive.flag({
    scope: 'server',
    context: GLOBAL,
    help: 'whether status pages list individual requests',
    set: (_config, on, command) => {
      internals(command).context.configuration.process.extendedStatus = on
    },
  }),
  SeeRequestTail: directive.flag({
    scope: 'server',
    context: GLOBAL,
    help: 'whether status pages show the end of long request lines instead of the beginning',
    set: (_config, on, command) => {
      internals(command).context.configuration.process.seeRequestTail = on
    },
  }),
}
