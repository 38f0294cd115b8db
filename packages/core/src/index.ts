export type { Displaced, LocalAddress } from '@gatewright/http'
export { COMMAND_LINE_FILE, ConfigError, type ConfigPhase } from './base/config-error.ts'
export { DIRECTIVE_HOMES, isModuleOfHttpd } from './base/directive-homes.ts'
export { PRODUCT, productBanner } from './base/product.ts'
export {
  type ConfigSource,
  FileSource,
  type PathKind,
  type RecordedSource,
  RecordingSource,
  ReplayedSource,
  TextSource,
} from './base/source.ts'
export type { StandardFiles } from './base/standard-files.ts'
export type { AssumedFiles, LoadOptions, Plan, WorkerServer } from './host/contract.ts'
export {
  createServer,
  type ServerOptions,
  type TestServer,
} from './host/create-server.ts'
export { dumpHooks, dumpIncludes, dumpModules, dumpRunConfig, dumpVirtualHosts, listDirectives } from './host/dumps.ts'
export { folderSettings } from './host/folder-settings.ts'
export {
  accessFileNames,
  type CheckedHtaccess,
  checkHtaccess,
  checkHtaccessTexts,
  type HtaccessProgress,
  servedFolders,
} from './host/htaccess-check.ts'
export { type InjectedResponse, type InjectOptions, inject } from './host/inject.ts'
export { loadConfiguration } from './host/load.ts'
export { type ProgramSource, programSources } from './host/program-sources.ts'
export { Snapshot } from './host/snapshot.ts'
export type { Listener } from './model/process-config.ts'
export { isRunHere, type ProgramKind, programKindOfFile } from './model/program-kinds.ts'
export type { ConfigReporter } from './model/server-configuration.ts'
export { decideModule, type GateVerdict } from './modules/gate.ts'
export { type InspectedModule, inspectModule } from './modules/inspect-module.ts'
export type { LogProgram } from './services/log-program.ts'
export type { NameSettings } from './services/names/index.ts'
export { isSyslog } from './services/syslog.ts'
export type { LoopClock } from './work/turn-queue.ts'
