export { DescriptorDestination, type DescriptorOptions } from './descriptor-destination.ts'
export type { LineLoss, LogDestination, LossListener, RecordDestination, TroubleListener, WriteTrouble } from './destination.ts'
export { isRecordDestination } from './destination.ts'
export { aprError, type OsError, osError, osErrorText, systemError } from './errno.ts'
export { compileErrorLogFormat, type ErrorFormatKind, type ErrorLogFormat } from './error-format.ts'
export { createJsonWrapper, JSON_FORMAT } from './error-json.ts'
export {
  createErrorLineFormatter,
  type ErrorLineFormatter,
  formatErrorLine,
  formatSyslogLine,
  withSeverity,
} from './error-line.ts'
export type { ErrorLogConnection, ErrorLogRequest, ErrorRecord } from './error-record.ts'
export { FileDestination, type FileOptions } from './file-destination.ts'
export { createJsonLines, jsonTime } from './json-lines.ts'
export {
  DEFAULT_LEVELS,
  enabled,
  isWritten,
  type LevelSettings,
  mergeLevels,
  UNSET_LEVELS,
  withLevel,
  withModuleLevel,
} from './level-settings.ts'
export { type LevelWord, parseLevelWord } from './level-word.ts'
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
export type { Buffering } from './line-buffer.ts'
export { appendablePath, ownDescriptor } from './own-stream.ts'
export { DestinationRegistry, type RegistryOptions } from './registry.ts'
