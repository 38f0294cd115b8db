import type { LintedConfiguration, LintedLine, LintFinding, LintRule, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import { isNetworkError, parseNetwork } from '@gatewright/ipset'
import type { AuthRequestConfig } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers }: ModuleHost<AuthRequestConfig, undefined>): void {
  providers.lintRules.add('AUTHREQ001', incomplete())
  providers.lintRules.add('AUTHREQ002', trustsAll())
  providers.lintRules.add('AUTHREQ003', reasonForAll())
}

/** AUTHREQ001: every question fails, because the endpoint lacks a directive. */
function incomplete(): LintRule {
  return {
    about: 'an endpoint for decisions that answers nobody',
    severity: 'error',
    find: (configuration) => {
      const [main] = configuration.servers
      const scopesOf = (section: SectionInfo): readonly (SectionInfo | Server)[] => [...chain(section), section.server, main]
      return configuration.sections.flatMap((section) =>
        configuration
          .linesOf(section, 'SetHandler')
          .filter(({ text }) => configuration.words(text)[0] === 'auth-request')
          .flatMap((line): readonly LintFinding[] => {
            const has = (name: string): boolean =>
              scopesOf(section).some((scope) => configuration.linesOf(scope, name).length > 0)
            if (!has('AuthRequestFields')) {
              return [
                finding(
                  line,
                  'without AuthRequestFields every question is answered with 500',
                  'add AuthRequestFields nginx, or another kind of proxy',
                ),
              ]
            }
            if (PROXY_LISTS.some(has) || has('AuthRequestTrust')) return []
            return [
              finding(
                line,
                'no proxy is trusted, so every question is answered with 403',
                "add AuthRequestTrust with the proxy's address",
              ),
            ]
          }),
      )
    },
  }
}

const PROXY_LISTS = [
  'RemoteIPTrustedProxy',
  'RemoteIPInternalProxy',
  'RemoteIPTrustedProxyList',
  'RemoteIPInternalProxyList',
] as const

/** AUTHREQ002: every client can claim to be a proxy, and so to be any other client. */
function trustsAll(): LintRule {
  return {
    about: 'an endpoint for decisions that believes very many clients',
    severity: 'error',
    find: (configuration) =>
      linesOf(configuration, 'AuthRequestTrust')
        .filter(({ text }) => configuration.words(text).some(isLarge))
        .map((line) =>
          finding(
            line,
            'a large part of all clients is believed to be a proxy, and can name any address as its own',
            'name the addresses of the proxies',
          ),
        ),
  }
}

/** Whether a network is larger than that of an organisation: a prefix of less than 8 bits, with IPv6 of less than 16. */
function isLarge(word: string): boolean {
  const network = parseNetwork(word)
  if (isNetworkError(network)) return false
  const { family, w0 } = network.mask
  return family === 4 ? w0 >>> 24 !== 0xff : w0 >>> 16 !== 0xffff
}

/** AUTHREQ003: the proxies may pass file names and rules on. */
function reasonForAll(): LintRule {
  return {
    about: 'reasons of decisions for everybody',
    severity: 'note',
    find: (configuration) =>
      linesOf(configuration, 'AuthRequestReason')
        .filter(({ text }) => configuration.words(text)[1]?.toLowerCase() === 'all')
        .map((line) =>
          finding(
            line,
            'proxies that pass all fields of a refusal on show rules and file names to every client',
            'name who may see them by an expression',
          ),
        ),
  }
}

function linesOf(configuration: LintedConfiguration, directive: string): readonly LintedLine[] {
  return configuration.sections.flatMap((section) => configuration.linesOf(section, directive))
}

function chain(section: SectionInfo): readonly SectionInfo[] {
  return section.parent === null ? [section] : [section, ...chain(section.parent)]
}

function finding({ file, line }: LintedLine, message: string, hint: string): LintFinding {
  return { file, line, message, hint }
}
