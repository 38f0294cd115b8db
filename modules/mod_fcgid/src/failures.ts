import type { ModuleLog, Request } from '@gatewright/api'
import type { UpstreamError } from '@gatewright/upstream'
import type { ConnectedProcess } from './processes.ts'

/** Reports in mod_fcgid's words why a process has not answered. */
export function logFailure(request: Request, error: UpstreamError, { lease, options }: ConnectedProcess, log: ModuleLog): void {
  if (lease.wasTooLong)
    log.write(request, 'info', '', `mod_fcgid: ${request.uri} took longer than busy timeout (${options.busyTimeout} secs)`)
  if (error.code.endsWith('timeout')) {
    log.write(request, 'warn', '', `mod_fcgid: read data timeout in ${options.ioTimeout} seconds`)
    return
  }
  if (error.code === 'protocol') {
    log.write(
      request,
      'warn',
      '',
      'mod_fcgid: the program does not speak FastCGI: it must accept connections on its standard input',
    )
    return
  }
  const { cause } = error
  if (cause === null) log.write(request, 'warn', '', 'mod_fcgid: error reading data, FastCGI server closed connection')
  else log.write(request, 'warn', '', 'mod_fcgid: error reading data from FastCGI server', cause)
}
