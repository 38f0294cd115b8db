/** The hooks of a request that have an outcome, in the order of the lifecycle. */
export const PHASES = [
  'postReadRequest',
  'preTranslateName',
  'translateName',
  'mapToStorage',
  'postPerdirConfig',
  'headerParser',
  'accessChecker',
  'accessCheckerEx',
  'forceAuthn',
  'checkUserId',
  'authChecker',
  'typeChecker',
  'fixups',
  'handler',
] as const
export type Phase = (typeof PHASES)[number]
