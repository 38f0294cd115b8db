const MEMBER = /(["'])((?:\\\1|\\\\|(?!\1)[\s\S])*)\1?|(\S+)/g

/** The members of a group: words by the configuration's quoting rules, so that `"al ice"` is one member. Commas separate nothing. */
export function membersOf(text: string): string[] {
  return Array.from(text.matchAll(MEMBER), ([, quote, quoted, plain]) =>
    quote === undefined ? plain.replaceAll('\\\\', '\\') : quoted.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\'),
  )
}
