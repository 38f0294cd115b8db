/**
 * The step between text and configuration in which an error was found; it determines how httpd prints the
 * error.
 */
export type ConfigPhase = 'read' | 'walk' | 'start'

/** The file name of `-C` and `-c` lines. */
export const COMMAND_LINE_FILE = '-c/-C directives'

/**
 * An error in the configuration. `read` errors (while lines are read) are printed on one line with the
 * program's name; `walk` errors (while directives are applied) on two lines with AH00526; `start` errors are
 * complete lines.
 */
export class ConfigError extends Error {
  readonly phase: ConfigPhase
  readonly file: string
  readonly line: number
  readonly hint: string | undefined
  /** Further errors of the same kind, which are printed below the hint. */
  readonly others: readonly string[]

  constructor(phase: ConfigPhase, file: string, line: number, message: string, hint?: string, others: readonly string[] = []) {
    super(message)
    this.phase = phase
    this.file = file
    this.line = line
    this.hint = hint
    this.others = others
  }

  /** The lines for standard error. `program` is the base name of the started program. */
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
    const others = this.others.map((other) => `hint: ${escapeForConsole(other)}`)
    if (this.hint === undefined) return [...lines, ...others]
    // A module's messages at the start may contain file names.
    return [...lines, `hint: ${this.phase === 'start' ? escapeForConsole(this.hint) : this.hint}`, ...others]
  }
}

/**
 * Escapes like httpd on the console: doubles backslashes, and writes control bytes and non-ASCII bytes as
 * numbers.
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
