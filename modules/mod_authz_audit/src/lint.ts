import type { ModuleHost, Server } from '@gatewright/api'
import type { AuditConfig } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers, serverConfigOf }: ModuleHost<undefined, AuditConfig>): void {
  providers.lintRules.add('AUDIT001', {
    about: 'an audit log that visitors can read',
    severity: 'error',
    find: (configuration) =>
      configuration.servers.flatMap((server) => {
        const { log } = serverConfigOf(server)
        if (log === undefined || log === null || log.target.startsWith('|') || !isServed(log.target, configuration.servers))
          return []
        return configuration.linesOf(server, 'AuthzAuditLog').map(({ file, line }) => ({
          file,
          line,
          message: 'the log of decisions is below a DocumentRoot: visitors may read who was refused where',
          hint: 'write it into the folder of the other logs',
        }))
      }),
  })
}

function isServed(path: string, servers: readonly Server[]): boolean {
  return servers.some(({ documentRoot }) => path.startsWith(`${documentRoot.replace(/\/$/, '')}/`))
}
