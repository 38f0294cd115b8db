import {
  OPT_ALL,
  OPT_EXEC_CGI,
  OPT_FOLLOW_SYM_LINKS,
  OPT_INCLUDES,
  OPT_INCLUDES_EXEC,
  OPT_INDEXES,
  OPT_MULTI_VIEWS,
  OPT_SYM_LINKS_IF_OWNER,
  type OptionsSetting,
} from '../../model/directory-config.ts'

const BITS: Readonly<Record<string, number>> = {
  indexes: OPT_INDEXES,
  includes: OPT_INCLUDES | OPT_INCLUDES_EXEC,
  includesnoexec: OPT_INCLUDES,
  followsymlinks: OPT_FOLLOW_SYM_LINKS,
  symlinksifownermatch: OPT_SYM_LINKS_IF_OWNER,
  execcgi: OPT_EXEC_CGI,
  multiviews: OPT_MULTI_VIEWS,
  // An older name that httpd still accepts.
  runscripts: OPT_MULTI_VIEWS | OPT_EXEC_CGI,
}

/** The bit of an option's name, including `all`; undefined for other words. */
export function optionBit(name: string): number | undefined {
  const lower = name.toLowerCase()
  return lower === 'all' ? OPT_ALL : BITS[lower]
}

/**
 * Applies the words of an Options line.
 * @param before the section's former setting
 * @param allowed options that AllowOverride grants in .htaccess; null in server files
 */
export function parseOptions(words: readonly string[], before: OptionsSetting, allowed: number | null): OptionsSetting | string {
  let { set, add, remove } = before
  let first = true
  let signed = false
  let unsigned = false
  for (const word of words) {
    const sign = word[0] === '+' || word[0] === '-' ? word[0] : ''
    const name = sign === '' ? word : word.slice(1)
    const lower = name.toLowerCase()
    if (sign !== '') signed = true
    else {
      if (lower === 'none' || lower === 'all') {
        // None and All may precede signed words, but only as the first word.
        if (!first)
          return lower === 'none'
            ? "'Options None' must be the first Option given."
            : "'Options All' must be the first option given."
      } else unsigned = true
      if (first) {
        set = 0
        add = 0
        remove = 0
      }
    }
    if (signed && unsigned) return 'Either all Options must start with + or -, or no Option may.'
    if (sign !== '' && lower === 'none') return "You may not use 'Options +None' or 'Options -None'."
    if (sign !== '' && lower === 'all') return "You may not use 'Options +All' or 'Options -All'."
    const bit = lower === 'none' ? 0 : optionBit(name)
    if (bit === undefined) return `Illegal option ${name}`
    if (allowed !== null && bit !== 0 && (bit & ~allowed) !== 0) return `Option ${name} not allowed here`
    if (sign === '-') {
      add &= ~bit
      remove |= bit
      if (set !== undefined) set &= ~bit
    } else if (sign === '+') {
      remove &= ~bit
      add |= bit
      if (set !== undefined) set |= bit
    } else set = (set ?? 0) | bit
    first = false
  }
  return { set, add: set === undefined ? add : 0, remove: set === undefined ? remove : 0 }
}
