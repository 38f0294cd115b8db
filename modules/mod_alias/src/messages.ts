/** The log codes of a redirect, which differ by phase. */
export interface RedirectMessages {
  /** For a path that was completed to a URL of this server. */
  readonly completed: string
  /** For a target that is neither a URL nor an absolute path. */
  readonly invalid: string
}

export const REDIRECT_IN_TRANSLATION: RedirectMessages = { completed: 'AH00673', invalid: 'AH00674' }
export const REDIRECT_IN_FIXUP: RedirectMessages = { completed: 'AH00675', invalid: 'AH00676' }
