/** Where in the run from text to snapshot an error was found; it decides how httpd prints it. */
export type ConfigPhase = 'read' | 'walk' | 'start'

/** What `-C` and `-c` lines are called where a file name is due. */
export const COMMAND_LINE_FILE = '-c/-C directives'

/**
 * A mistake in the configuration. `read` errors (found while lines are read) print on one line with the
 * program's name; `walk` errors (found while directives are applied) on two lines with AH00526; `start`
 * errors are lines of their own.
 */
export class ConfigError extends Error {
  readonly phase: ConfigPhase
  readonly file: string
  readonly line: number
  readonly hint: string | undefined

  constructor(phase: ConfigPhase, file: string, line: number, message: string, hint?: string) {
    super(message)
    this.phase = phase
    this.file = file
    this.line = line
    this.hint = hint
  }

  /** The lines for standard error. `program` is the base name the server was called by. */
  lines(program: string): string[] {
    const message = escapeForConsole(this.message)
    const lines =
      this.phase === 'walk'
        ? [`AH00526: Syntax error on line ${this.line} of ${this.file}:`, message]
        : this.phase === 'start'
          ? this.message.split('\n').map(escapeForConsole)
          : this.file === COMMAND_LINE_FILE
            ? [`${program}: Syntax error in -C/-c directive: ${message}`]
            : this.line > 0
              ? [`${program}: Syntax error on line ${this.line} of ${this.file}: ${message}`]
              : [`${program}: ${message}`]
    if (this.hint === undefined) return lines
    // What modules say at the start may hold names of files.
    return [...lines, `hint: ${this.phase === 'start' ? escapeForConsole(this.hint) : this.hint}`]
  }
}

/**
 * httpd doubles backslashes and shows control bytes and those beyond ASCII by their numbers in what it prints
 * on the console.
 */
export function escapeForConsole(text: string): string {
  if (!/[\\\x00-\x1f\x7f-\xff]/.test(text)) return text
  return text.replace(/[\\\x00-\x1f\x7f-\xff]/g, (char) => {
    switch (char) {
      case '\\':
        return '\\\\'
      case '\n':
        return '\\n'
      case '\t':
        return '\\t'
      case '\r':
        return '\\r'
      default:
        return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
    }
  })
}
