import { type OptionalFunction, optionalFunction } from './optional-functions.ts'

/**
 * Names as the User and Group directives give them: a name, or `#` and a number; `#-1` when a directive is
 * absent.
 * @suppliedByModules
 */
export interface ProcessOwner {
  /** User, as written. */
  readonly user: string
  /** Group, as written. */
  readonly group: string
}

/**
 * Offered by mod_unixd from checkConfig on: the identity of the workers. The caller that resolves the names
 * writes AH00543 and AH00544 for an unknown user or group. Undefined in the registry means AH00136: the
 * server cannot give up its privileges.
 */
export const processOwner: OptionalFunction<() => ProcessOwner> = optionalFunction('unixd:process_owner')
