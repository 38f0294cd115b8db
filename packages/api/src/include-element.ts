import { type OptionalHook, optionalHook } from './optional-hooks.ts'
import type { Request } from './request.ts'

/**
 * An element of a page that mod_include processes, for a module that adds elements.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface IncludeElement {
  /** In lower case. */
  readonly name: string
  /** Names in lower case, with values as written; null for a name alone. */
  readonly attributes: readonly (readonly [name: string, value: string | null])[]
  /** The page. */
  readonly request: Request
  /** The variables of the page, which are the environment of its programs. */
  variables(): Iterable<readonly [name: string, value: string]>
  /** The file of the page. */
  readonly file: string
  /** Replaces variables in a value. */
  expand(text: string): string
  /** Adds bytes to the page; settles when the page wants more. Rejects when the client has gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Runs a sub-request of the page, whose body becomes a part of it. @returns its status */
  include(sub: Request): Promise<number>
  /** Adds the message of errors (SSIErrorMsg) to the page. */
  fail(): void
}

/**
 * Run by mod_include for elements that it does not have, httpd's `ap_register_include_handler`: undefined for an element
 * that the module does not have either.
 * @since 2.4.6
 */
export const includeElement: OptionalHook<(element: IncludeElement) => Promise<void> | undefined> =
  optionalHook('include:element')
