export { type LoadContext, loadStart } from './reader/load-start.ts'
export { readStart, runReader } from './reader/reader-role.ts'
export { type ConfigReport, isShown, reportLine } from './start/config-report.ts'
export type { StartOptions } from './start/start-options.ts'
