/** The hooks that see a request, in httpd's order: that of the rows of the lifecycle. */
export const REQUEST_HOOKS = [
  'postReadRequest',
  'quickHandler',
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
  'insertFilter',
  'handler',
  'noteAuthFailure',
  'insertErrorFilter',
  'fixupHeaders',
  'logTransaction',
] as const

type WithoutOutcome = 'insertFilter' | 'noteAuthFailure' | 'insertErrorFilter' | 'fixupHeaders' | 'logTransaction'
const WITHOUT_OUTCOME: readonly string[] = [
  'insertFilter',
  'noteAuthFailure',
  'insertErrorFilter',
  'fixupHeaders',
  'logTransaction',
] satisfies WithoutOutcome[]

export type Phase = Exclude<(typeof REQUEST_HOOKS)[number], WithoutOutcome>
/** Those that have an outcome which decides about the request. */
export const PHASES: readonly Phase[] = REQUEST_HOOKS.filter((hook): hook is Phase => !WITHOUT_OUTCOME.includes(hook))
