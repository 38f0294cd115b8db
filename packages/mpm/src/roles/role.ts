/** The role of a process of the server; the first process has none of these. */
export type Role = 'supervisor' | 'reader' | 'worker'

/** Environment variable that gives the role to a process that the server starts. */
export const ROLE_VARIABLE = 'GATEWRIGHT_ROLE'

const ROLES: readonly Role[] = ['supervisor', 'reader', 'worker']

/**
 * The role of this process; undefined for a process that a person started. The variable is removed, so that
 * neither `${...}` in the configuration nor programs that the server starts see it; without a channel to a
 * parent it has no meaning.
 */
export function takeRole(environment: NodeJS.ProcessEnv, connected: boolean): Role | undefined {
  const value = environment[ROLE_VARIABLE]
  delete environment[ROLE_VARIABLE]
  return connected ? ROLES.find((role) => role === value) : undefined
}
