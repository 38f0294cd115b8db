/** Takes one flag; returns an error text if the flag is invalid. */
export type FlagReader = (name: string, value: string) => string | undefined

/** Reads `[NAME,NAME=value]` and passes each flag to `read`. A flag without a value has the value ''. */
export function readFlags(text: string, read: FlagReader): string | undefined {
  if (text.length < 2 || !text.startsWith('[') || !text.endsWith(']')) return 'bad flag delimiters'
  for (const flag of text.slice(1, -1).split(',')) {
    const trimmed = flag.trimStart()
    // httpd reports the separator as the name of a blank flag.
    if (trimmed === '' && flag !== '') return "unknown flag ','"
    const equals = trimmed.indexOf('=')
    const name = equals < 0 ? trimmed.trimEnd() : trimmed.slice(0, equals)
    const value = equals < 0 ? '' : trimmed.slice(equals + 1).trimEnd()
    const error = read(name, value)
    if (error !== undefined) return error
  }
  return undefined
}
