import type { HookName } from '@gatewright/api'

/**
 * The titles of hooks, in the groups and order of httpd's page. A hook without a title is listed by its own
 * name among the others.
 */
export const STARTUP_HOOKS: readonly (readonly [HookName, string])[] = [
  ['preConfig', 'Pre-Config'],
  ['checkConfig', 'Check Configuration'],
  ['testConfig', 'Test Configuration'],
  ['postConfig', 'Post Configuration'],
  ['openLogs', 'Open Logs'],
  ['childInit', 'Child Init'],
]

export const REQUEST_HOOKS: readonly (readonly [HookName, string])[] = [
  ['preConnection', 'Pre-Connection'],
  ['postReadRequest', 'Post-Read Request'],
  ['headerParser', 'Header Parse'],
  ['preTranslateName', 'Pre-Translate Name'],
  ['translateName', 'Translate Name'],
  ['mapToStorage', 'Map to Storage'],
  ['accessChecker', 'Check Access'],
  ['accessCheckerEx', 'Check Access (extended)'],
  ['forceAuthn', 'Force Authentication'],
  ['checkUserId', 'Verify User ID'],
  ['noteAuthFailure', 'Note Authentication Failure'],
  ['authChecker', 'Verify User Access'],
  ['typeChecker', 'Check Type'],
  ['fixups', 'Fixups'],
  ['handler', 'Content Handlers'],
  ['logTransaction', 'Transaction Logging'],
]
