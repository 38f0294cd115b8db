const HINT = '\nhint: '

/**
 * Separates an error's text from the advice after it: modules built before API 2.4.5 had no other place for
 * advice.
 */
export function withoutHint(text: string): { readonly message: string; readonly hint: string | undefined } {
  const at = text.indexOf(HINT)
  return at < 0 ? { message: text, hint: undefined } : { message: text.slice(0, at), hint: text.slice(at + HINT.length) }
}
