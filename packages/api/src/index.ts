/**
 * What modules are made of: `defineModule`, directives, hooks, requests, responses and what the server does for modules.
 * Import from `@gatewright/api`.
 * @module api
 */

export * from './command.ts'
export * from './connection.ts'
export * from './directive.ts'
export * from './former-root-names.ts'
export * from './hooks.ts'
export * from './input-filter.ts'
export * from './log.ts'
export * from './methods.ts'
export * from './module.ts'
export * from './optional-functions.ts'
export * from './optional-hooks.ts'
export * from './outcome.ts'
export * from './output-filter.ts'
export * from './process-owner.ts'
export * from './providers.ts'
export * from './regular-file.ts'
export * from './request.ts'
export * from './require-words.ts'
export * from './server.ts'
export * from './services.ts'
export * from './slot.ts'
export * from './table.ts'
export * from './transaction.ts'
export * from './version.ts'
export * from './work.ts'
