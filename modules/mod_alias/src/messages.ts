/** The two message numbers that a redirect has in each phase. */
export interface RedirectMessages {
  /** A path was made a URL of this server. */
  readonly completed: string
  /** The target is neither a URL nor an absolute path. */
  readonly invalid: string
}

export const REDIRECT_IN_TRANSLATION: RedirectMessages = { completed: 'AH00673', invalid: 'AH00674' }
export const REDIRECT_IN_FIXUP: RedirectMessages = { completed: 'AH00675', invalid: 'AH00676' }
