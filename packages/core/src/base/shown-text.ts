/**
 * A text that a module gives, for a terminal: characters that control it, are invisible, or change the direction of
 * text are shown as `\\u{HEX}`.
 */
export function shownText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
