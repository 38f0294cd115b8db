import type { LintFinding, ModuleHost } from '@gatewright/api'
import { isLoopback, parseAddress } from '@gatewright/ipset'
import type { ForwardConfig } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers, configIn }: ModuleHost<ForwardConfig, undefined>): void {
  providers.lintRules.add('FORWARD001', {
    about: 'cookies and passwords to an authentication service without TLS',
    severity: 'warning',
    find: (configuration) =>
      configuration.sections.flatMap((section): readonly LintFinding[] => {
        const url = configIn(section)?.url
        if (url === undefined || url.protocol === 'https:' || isLocal(url.hostname)) return []
        return configuration.linesOf(section, 'AuthForwardURL').map(({ file, line }) => ({
          file,
          line,
          message: `all cookies and passwords of clients are sent to ${url.host} without TLS`,
          hint: 'use a URL with https://, or run the service on this machine',
        }))
      }),
  })
  providers.lintRules.add('FORWARD002', {
    about: 'an identity that clients can send',
    severity: 'warning',
    find: (configuration) =>
      configuration.sections.flatMap((section): readonly LintFinding[] => {
        const config = configIn(section)
        if (config?.url === undefined || config.copy !== undefined || hasCopy(section.parent)) return []
        return configuration.linesOf(section, 'AuthForwardURL').map(({ file, line }) => ({
          file,
          line,
          message: 'no field is copied: a backend that trusts a field such as Remote-User gets the one that the client sent',
          hint: 'add AuthForwardCopy with the fields that backends trust',
        }))
      }),
  })

  function hasCopy(section: Parameters<typeof configIn>[0] | null): boolean {
    return section !== null && (configIn(section)?.copy !== undefined || hasCopy(section.parent))
  }
}

function isLocal(host: string): boolean {
  const address = parseAddress(host.replace(/^\[|\]$/g, ''))
  return host === 'localhost' || (address !== undefined && isLoopback(address))
}
