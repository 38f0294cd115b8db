export * from './reader.ts'
export * from './role.ts'
export * from './supervisor.ts'
export * from './worker.ts'
