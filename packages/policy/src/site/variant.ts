import type { Logins } from '../assumed-login.ts'

/** A configuration to be opened as it would be with other texts in its files. */
export interface Variant {
  /** By absolute path: files of the configuration and .htaccess files. One character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders that are treated as existing. */
  readonly folders: ReadonlySet<string>
  /** Lines that follow those of the configuration. */
  readonly after: readonly string[]
  /** The substitute for name servers, in the format of /etc/hosts; absent: no address has a name. */
  readonly hosts?: string
  /** The users that are accepted without a password; if absent, those that the configuration knows. */
  readonly logins?: Logins
  /** Sections about access whose conditions are expressions, which a proof satisfies only by chance. */
  readonly conditional?: readonly string[]
}
