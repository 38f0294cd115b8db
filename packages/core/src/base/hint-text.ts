const HINT = '\nhint: '

/** Puts advice after the text of an error, on a line of its own. */
export function withHint(message: string, hint: string): string {
  return `${message}${HINT}${hint}`
}

/** Separates an error's text from the advice after it. */
export function withoutHint(text: string): { readonly message: string; readonly hint: string | undefined } {
  const at = text.indexOf(HINT)
  return at < 0 ? { message: text, hint: undefined } : { message: text.slice(0, at), hint: text.slice(at + HINT.length) }
}
