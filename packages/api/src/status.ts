/**
 * State, counters and contents of the server, for pages about it. Import from `@gatewright/api/status`.
 * @module status
 */

export * from './inventory.ts'
export * from './metrics.ts'
export * from './server-status.ts'
export * from './serving-counters.ts'
