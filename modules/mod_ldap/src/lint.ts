import type { LintRule } from '@gatewright/api'

/** LDAPVerifyServerCert Off: passwords go to any program that answers. */
export const unverifiedServer: LintRule = {
  about: 'certificates of LDAP servers are not verified',
  severity: 'warning',
  isHint: true,
  find: (configuration) =>
    configuration.servers.flatMap((server) =>
      configuration
        .linesOf(server, 'LDAPVerifyServerCert')
        .filter(({ text }) => configuration.words(text)[0]?.toLowerCase() === 'off')
        .map(({ file, line }) => ({
          file,
          line,
          message:
            'LDAPVerifyServerCert Off sends the passwords of users to any server that answers in the place of the directory',
          hint: 'name the authority of the directory by LDAPTrustedGlobalCert CA_BASE64, and remove this line',
        })),
    ),
}
