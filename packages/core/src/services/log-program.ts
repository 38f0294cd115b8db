import { splitCommand } from './split-command.ts'

/** A program that gets log lines on its standard input. Plain data. */
export interface LogProgram {
  /** As in the configuration, including the bar: the key of the pipe to it. */
  readonly target: string
  /** Its name in messages. */
  readonly name: string
  /** The file to execute; a name without a slash is looked up in PATH. */
  readonly file: string
  readonly args: readonly string[]
}

/** True for `|program`, `||program` and `|$command`. */
export function isProgram(target: string): boolean {
  return target.startsWith('|')
}

/** What `|program arguments` starts; `|$command` is the shell's. */
export function logProgram(target: string): LogProgram {
  if (target.startsWith('|$')) {
    const command = target.slice(2)
    return { target, name: command, file: '/bin/sh', args: ['-c', command] }
  }
  const name = target.replace(/^\|{1,2}/, '')
  const [file = '', ...args] = splitCommand(name)
  // As in httpd, PATH does not decide what root executes.
  return { target, name, file: file.includes('/') ? file : `./${file}`, args }
}
