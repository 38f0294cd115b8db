/** What a process of the server is: the first one is none of these. */
export type Role = 'supervisor' | 'reader' | 'worker'

/** Environment variable by which a process that the server starts learns what it is. */
export const ROLE_VARIABLE = 'GATEWRIGHT_ROLE'

const ROLES: readonly Role[] = ['supervisor', 'reader', 'worker']

/**
 * The role of this process, undefined for one that a person started. The variable is removed, so that neither `${...}` in the configuration nor
 * programs that the server starts see it; without a channel to a parent it means nothing.
 */
export function takeRole(environment: NodeJS.ProcessEnv, connected: boolean): Role | undefined {
  const value = environment[ROLE_VARIABLE]
  delete environment[ROLE_VARIABLE]
  return connected ? ROLES.find((role) => role === value) : undefined
}
