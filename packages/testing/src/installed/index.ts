// What an installed server provides as include/@gatewright/testing, for tests of modules that are developed
// elsewhere.
export { basicAuth } from '../basic-auth.ts'
export { type RawOptions, rawExchange } from '../raw-exchange.ts'
export type { FileTree } from '../server-root.ts'
export * from './site.ts'
