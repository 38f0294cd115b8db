import { type OptionalFunction, optionalFunction } from './optional-functions.ts'

/**
 * Names as in the User and Group directives: a name, or `#` and a number; `#-1` if a directive is absent.
 * @suppliedByModules
 */
export interface ProcessOwner {
  /** User, as written. */
  readonly user: string
  /** Group, as written. */
  readonly group: string
}

/**
 * Provided by mod_unixd from checkConfig on: the identity of the workers. The caller, which resolves the
 * names, writes AH00543 and AH00544 for an unknown user or group. If no module provides it, the server cannot
 * give up its privileges (AH00136).
 */
export const processOwner: OptionalFunction<() => ProcessOwner> = optionalFunction('unixd:process_owner')
