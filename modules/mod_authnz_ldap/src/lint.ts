import { statSync } from 'node:fs'
import type { LintRule } from '@gatewright/api'
import { ldapTrustedMode } from '@gatewright/api/peers'
import { hostsIn } from '@gatewright/ldap'
import type { Host } from './known-user.ts'

/** Connections in the clear to other machines. */
export function plainDirectory({ configIn, functions }: Host): LintRule {
  return {
    about: 'passwords are sent to an LDAP server in the clear',
    severity: 'error',
    isHint: true,
    find: (configuration) =>
      configuration.sections.flatMap((section) => {
        const url = configIn(section)?.url
        const [line] = configuration.linesOf(section, 'AuthLDAPURL').slice(-1)
        if (url === undefined || line === undefined) return []
        const security = url.security ?? functions.get(ldapTrustedMode)?.(section.server) ?? 'none'
        const remote = hostsIn(url.hosts, url.port).find(({ host }) => !isThisMachine(host))
        if (security !== 'none' || remote === undefined) return []
        return [
          {
            file: line.file,
            line: line.line,
            message: `the passwords of users are sent to ${remote.host} in the clear`,
            hint: 'add STARTTLS at the end of the line, or use ldaps://, and name the authority of the directory by LDAPTrustedGlobalCert CA_BASE64',
          },
        ]
      }),
  }
}

/** Passwords in files that other users of the machine can read. */
export const readablePassword: LintRule = {
  about: 'other users can read the password of an LDAP account',
  severity: 'warning',
  find: (configuration) =>
    configuration.sections.flatMap((section) =>
      configuration
        .linesOf(section, 'AuthLDAPBindPassword')
        .filter(({ text, file }) => !/^["']?exec:./.test(text) && isReadableByAll(file))
        .map(({ file, line }) => ({
          file,
          line,
          message: `every user of this machine can read the password in ${file}`,
          hint: 'take the rights of others away (chmod o= FILE), or print the password by a program: AuthLDAPBindPassword "exec:PROGRAM"',
        })),
    ),
}

/** Requirements about the user's entry after a search: httpd, and so this server, judges the entry that was found. */
export const entryOfSearch: LintRule = {
  about: 'requirements judge the entry of a search in place of the user',
  severity: 'warning',
  find: (configuration) =>
    configuration.sections.flatMap((section) => {
      const lines = configuration.linesOf(section, 'Require')
      const search = lines.findIndex(({ text }) => providerIn(text) === 'ldap-search')
      if (search < 0) return []
      return lines
        .slice(search + 1)
        .filter(({ text }) => ABOUT_USERS.has(providerIn(text)))
        .map(({ file, line, text }) => ({
          file,
          line,
          message: `if the ldap-search of line ${lines[search]?.line} finds an entry, ${providerIn(text)} judges that entry, not the user's`,
          hint: 'put the lines about the user before ldap-search, or use ldap-filter, which is about the user',
        }))
    }),
}

const ABOUT_USERS: ReadonlySet<string> = new Set(['ldap-user', 'ldap-group', 'ldap-dn', 'ldap-attribute', 'ldap-filter'])

/** The first word of a Require line, without `not`. */
function providerIn(text: string): string {
  return (/^\s*(?:not\s+)?(\S+)/i.exec(text)?.[1] ?? '').toLowerCase()
}

function isThisMachine(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isReadableByAll(file: string): boolean {
  try {
    return (statSync(Buffer.from(file, 'latin1')).mode & 0o004) !== 0
  } catch {
    return false
  }
}
