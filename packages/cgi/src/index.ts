export { type CgiService, cgiService } from './cgi-service.ts'
export {
  type CgiConfig,
  type CgiServerConfig,
  mergeCgiConfig,
  mergeCgiServerConfig,
  scriptLog,
  scriptLogBuffer,
  scriptLogLength,
  scriptTimeout,
} from './config.ts'
export { argumentsOf, environmentOf } from './environment.ts'
export { type FilterProgram, FilterPrograms, type NotRunning } from './filter-programs.ts'
export { CGI, CGID, type Flavour } from './flavour.ts'
export { headFaultText, invalidStatusText } from './head-texts.ts'
export { type EndRequest, NO_LIMITS, type ProgramLimits, type ProgramSpec } from './program-spec.ts'
export { HEAD_MAX, type HeadFault, type ScriptHead, ScriptHeadReader } from './script-head.ts'
export { Spawner, type StartedProgram } from './spawner.ts'
export { takeHead, takeStart } from './take-head.ts'
