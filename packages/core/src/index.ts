export type { Displaced, LocalAddress } from '@gatewright/http'
export { COMMAND_LINE_FILE, ConfigError, type ConfigPhase } from './base/config-error.ts'
export { DIRECTIVE_HOMES, type DirectiveHome, isKnownModule, isModuleOfHttpd } from './base/directive-homes.ts'
export { isSuccess } from './base/final-status.ts'
export { goneModule } from './base/gone-modules.ts'
export { PRODUCT, productBanner, type ServerTokens } from './base/product.ts'
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
export type { BindError } from './config/bind-context.ts'
export type {
  BoundConfiguration,
  FolderSettings,
  HookView,
  Include,
  ModuleView,
  ProviderLookup,
  ProvidersView,
  SectionView,
  ServerSettings,
  ServerView,
} from './host/bound-configuration.ts'
export type { AssumedFiles, LoadOptions, Plan, WorkerServer } from './host/contract.ts'
export {
  createServer,
  type ServerOptions,
  type TestServer,
} from './host/create-server.ts'
export { type DirectiveEntry, directiveEntries } from './host/directive-entries.ts'
export {
  dumpCapabilities,
  dumpHooks,
  dumpIncludes,
  dumpModules,
  dumpRunConfig,
  dumpVirtualHosts,
  listDirectives,
} from './host/dumps.ts'
export type { CheckedHtaccess, HtaccessProgress } from './host/htaccess-check.ts'
export { type InjectedResponse, type InjectOptions, inject, readResponse } from './host/inject.ts'
export { loadConfiguration } from './host/load.ts'
export type { ProgramSource } from './host/program-sources.ts'
export { createRuntime, type ServerRuntime } from './host/runtime.ts'
export type { OptionsSetting, OverrideGrant } from './model/directory-config.ts'
export type { Listener } from './model/process-config.ts'
export { isRunHere, type ProgramKind, programKindOfFile } from './model/program-kinds.ts'
export type { SectionMatch } from './model/section.ts'
export type { ConfigReporter, ServerConfigurationOptions } from './model/server-configuration.ts'
export type { SkippedBody } from './model/skipped-body.ts'
export { decideModule, type GateVerdict } from './modules/gate.ts'
export { type InspectedModule, inspectModule } from './modules/inspect-module.ts'
export {
  checkSignature,
  type ModuleSignature,
  readSmallFile,
  SIGNATURE_ENDING,
  type SignatureProblem,
  signatureLine,
  signaturesOf,
} from './modules/module-signature.ts'
export { isOwnModule } from './modules/own-modules.ts'
export { type KeysOfFile, keysOfText, type SigningKey, signingKey, signingKeyText } from './modules/signing-key.ts'
export type { LogProgram } from './services/log-program.ts'
export type { NameSettings } from './services/names/index.ts'
export { type RecordChange, SharedRecords } from './services/shared-records.ts'
export { ownState, type RotatingKeys, type SharedState } from './services/shared-state.ts'
export { isSyslog } from './services/syslog.ts'
export type { LoopClock } from './work/turn-queue.ts'
