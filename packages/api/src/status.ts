/**
 * What pages about the server show: its state, counters and contents. Import from `@gatewright/api/status`.
 * @module status
 */

export * from './inventory.ts'
export * from './server-status.ts'
export * from './serving-counters.ts'
