import type { LintedConfiguration, LintedLine, LintFinding, LintRule, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import type { FormConfig } from './config.ts'

const PASSPHRASES = ['SessionCryptoPassphrase', 'SessionCryptoPassphraseFile'] as const
const LOCATIONS = ['AuthFormLoginRequiredLocation', 'AuthFormLoginSuccessLocation', 'AuthFormLogoutLocation'] as const

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers }: ModuleHost<FormConfig, undefined>): void {
  providers.lintRules.add('FORM001', withoutTls())
  providers.lintRules.add('FORM002', readablePasswords())
  providers.lintRules.add('FORM003', redirectsElsewhere())
}

/** FORM001: passwords cross the network as they are. */
function withoutTls(): LintRule {
  return {
    about: 'a login form without TLS',
    severity: 'warning',
    find: (configuration) =>
      formLines(configuration).flatMap(({ line, section: { server } }): readonly LintFinding[] => {
        if (isSecured(configuration, server)) return []
        return [
          {
            ...placeOf(line),
            message: 'passwords of the login form and sessions are sent without TLS: everybody on the way can read them',
            hint: 'serve the site by a virtual host with SSLEngine on. If a proxy before this server does that, ignore this line by # gatewright-ignore FORM001',
          },
        ]
      }),
  }
}

/** FORM002: a cookie that contains the password, and that anybody can write. */
function readablePasswords(): LintRule {
  return {
    about: 'passwords in session cookies in the clear',
    severity: 'error',
    find: (configuration) =>
      formLines(configuration).flatMap(({ line, section }): readonly LintFinding[] => {
        const scopes = scopesOf(configuration, section)
        const has = (directive: string): boolean => scopes.some((scope) => configuration.linesOf(scope, directive).length > 0)
        if (!has('SessionCookieName') && !has('SessionCookieName2')) return []
        if (PASSPHRASES.some(has)) return []
        return [
          {
            ...placeOf(line),
            message: 'the session cookie contains the password of the user as it is',
            hint: 'load mod_session_crypto, and add SessionCryptoPassphraseFile',
          },
        ]
      }),
  }
}

/** FORM003: a redirect that leads to another site, or whose site the client chooses. */
function redirectsElsewhere(): LintRule {
  return {
    about: 'a login that redirects to other sites',
    severity: 'warning',
    find: (configuration) =>
      [...configuration.servers, ...configuration.sections].flatMap((scope): readonly LintFinding[] => {
        const server = 'server' in scope ? scope.server : scope
        const redirects = LOCATIONS.flatMap((directive) => configuration.linesOf(scope, directive)).flatMap((line) =>
          redirectFinding(line, configuration.words(line.text)[0] ?? '', server),
        )
        const open = configuration
          .linesOf(scope, 'AuthFormLocationHosts')
          .filter((line) => configuration.words(line.text).includes('*'))
          .map((line) => ({
            ...placeOf(line),
            message:
              'the field httpd_location of a login form leads anywhere: an attacker sends users away in the name of this site',
            hint: 'name the hosts in place of *, or remove the line to allow this site only',
          }))
        return [...redirects, ...open]
      }),
  }
}

function redirectFinding(line: LintedLine, location: string, server: Server): readonly LintFinding[] {
  if (location.startsWith('%{')) {
    return [
      {
        ...placeOf(line),
        message: `${line.name} begins with a variable, which may lead to any site`,
        hint: 'begin with the path of a page of this site, such as /login.html',
      },
    ]
  }
  const host = /^https?:\/\/([^/:?#]*)/i.exec(location)?.[1]
  if (host === undefined || /^%\{(HTTP_HOST|SERVER_NAME)\}$/i.test(host)) return []
  const names = [server.serverName, ...server.aliases].map((name) => name.toLowerCase())
  if (names.includes(host.toLowerCase())) return []
  return [
    {
      ...placeOf(line),
      severity: 'note',
      message: `${line.name} leads to ${host}, which is not a name of this server`,
      hint: 'write the path alone to stay on this site',
    },
  ]
}

interface FormLine {
  readonly line: LintedLine
  readonly section: SectionInfo
}

/** The lines `AuthType form`. */
function formLines(configuration: LintedConfiguration): readonly FormLine[] {
  return configuration.sections.flatMap((section) =>
    configuration
      .linesOf(section, 'AuthType')
      .filter(({ text }) => configuration.words(text)[0]?.toLowerCase() === 'form')
      .map((line) => ({ line, section })),
  )
}

/** The section, those around it, and those whose path contains it; then its server and the main server. */
function scopesOf(configuration: LintedConfiguration, section: SectionInfo): readonly (Server | SectionInfo)[] {
  const [main] = configuration.servers
  const around = configuration.sections.filter(
    (one) =>
      one === section || isAround(one, section) || (one.kind === section.kind && section.argument.startsWith(one.argument)),
  )
  return [...around, section.server, main]
}

function isAround(one: SectionInfo, section: SectionInfo): boolean {
  for (let parent = section.parent; parent !== null; parent = parent.parent) if (parent === one) return true
  return false
}

function isSecured(configuration: LintedConfiguration, server: Server): boolean {
  if (server.protocol === 'https') return true
  const [main] = configuration.servers
  const line = configuration.linesOf(server, 'SSLEngine').at(-1) ?? configuration.linesOf(main, 'SSLEngine').at(-1)
  return line !== undefined && /^(on|optional)\b/i.test(line.text.trim())
}

function placeOf({ file, line }: LintedLine): { readonly file: string; readonly line: number } {
  return { file, line }
}
