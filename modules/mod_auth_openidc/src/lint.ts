import type { LintFinding, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import { missingOf, type OpenIdConfig, type OpenIdServerConfig } from './config.ts'

/** In characters: what 96 random bits take in Base64. */
const SHORTEST = 16

type Host = ModuleHost<OpenIdConfig, OpenIdServerConfig>

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers, serverConfigOf }: Host): void {
  const { lintRules } = providers
  lintRules.add('OPENID001', {
    about: 'logins that cannot work',
    severity: 'error',
    find: (configuration) => {
      const findings = (scope: SectionInfo | Server, server: Server): readonly LintFinding[] =>
        configuration
          .linesOf(scope, 'AuthType')
          .filter(({ text }) => /^["']?(?:openid-connect|auth-openidc)["']?$/i.test(text.trim()))
          .flatMap(({ file, line }) => {
            const missing = missingOf(serverConfigOf(server))
            if (missing === null) return []
            const message = `every request is answered with 500, because the server has no ${missing}`
            return [{ file, line, message, hint: 'add it outside of sections, or to the virtual host' }]
          })
      return configuration.sections.flatMap((section) => findings(section, section.server))
    },
  })
  lintRules.add('OPENID002', {
    about: 'a passphrase of OpenID Connect that can be guessed',
    severity: 'warning',
    isHint: true,
    find: (configuration) =>
      configuration.servers.flatMap((server): readonly LintFinding[] => {
        const { passphrase } = serverConfigOf(server)
        if (passphrase === undefined || passphrase.length >= SHORTEST) return []
        return configuration.linesOf(server, 'OIDCCryptoPassphrase').map(({ file, line }) => ({
          file,
          line,
          message: `the passphrase is shorter than ${SHORTEST} characters: an attacker who guesses it can make logins of anybody`,
          hint: 'make one with `openssl rand -base64 24`, and print it by a program: OIDCCryptoPassphrase "exec:PROGRAM"',
        }))
      }),
  })
  lintRules.add('OPENID003', {
    about: 'secrets of OpenID Connect without TLS',
    severity: 'warning',
    find: (configuration) =>
      configuration.servers.flatMap((server): readonly LintFinding[] =>
        serverConfigOf(server).validateTls === false
          ? configuration.linesOf(server, 'OIDCSSLValidateServer').map(({ file, line }) => ({
              file,
              line,
              message: 'an attacker who controls the network can answer as the provider, and log in as any user',
              hint: 'remove the line; name the certificate of a private authority with OIDCCABundlePath',
            }))
          : [],
      ),
  })
}
