export { DescriptorDestination, type DescriptorOptions } from './descriptordestination.ts'
export type { LineLoss, LogDestination, LossListener, RecordDestination, TroubleListener, WriteTrouble } from './destination.ts'
export { isRecordDestination } from './destination.ts'
export { aprError, type OsError, osError, osErrorText, systemError } from './errno.ts'
export { compileErrorLogFormat, type ErrorFormatKind, type ErrorLogFormat } from './errorformat.ts'
export { createJsonWrapper, JSON_FORMAT } from './errorjson.ts'
export {
  createErrorLineFormatter,
  type ErrorLineFormatter,
  formatErrorLine,
  formatSyslogLine,
  withSeverity,
} from './errorline.ts'
export type { ErrorLogConnection, ErrorLogRequest, ErrorRecord } from './errorrecord.ts'
export { FileDestination, type FileOptions } from './filedestination.ts'
export { createJsonLines, jsonTime } from './jsonlines.ts'
export {
  isLogLevel,
  LEVEL_NAMES,
  LEVELS,
  type LogLevel,
  type LogLevelName,
  type LogMedium,
  parseLevel,
  passesThreshold,
} from './levels.ts'
export {
  DEFAULT_LEVELS,
  enabled,
  isWritten,
  type LevelSettings,
  mergeLevels,
  UNSET_LEVELS,
  withLevel,
  withModuleLevel,
} from './levelsettings.ts'
export { type LevelWord, parseLevelWord } from './levelword.ts'
export type { Buffering } from './linebuffer.ts'
export { appendablePath, ownDescriptor } from './ownstream.ts'
export { DestinationRegistry, type RegistryOptions } from './registry.ts'
