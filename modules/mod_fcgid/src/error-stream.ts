import type { ModuleLog, Request } from '@gatewright/api'

/** Reports a record of the error stream of a program, line by line as mod_fcgid does: empty lines only at its start. */
export function logErrorStream(request: Request, log: ModuleLog, text: string): void {
  for (const line of text.replace(/(?<=[^\r\n])[\r\n]+$/, '').split(/[\r\n]+/))
    log.write(request, 'warn', '', `mod_fcgid: stderr: ${line}`)
}
