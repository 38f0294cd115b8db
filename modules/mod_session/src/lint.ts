import type { LintedConfiguration, LintedLine, LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import { cookieWords } from '@gatewright/api/text'
import type { SessionConfig } from './config.ts'

/** The directives of the modules that give cookies to clients. */
const COOKIES = ['SessionCookieName', 'SessionCookieName2', 'SessionDBDCookieName', 'SessionDBDCookieName2']

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers }: ModuleHost<SessionConfig, undefined>): void {
  providers.lintRules.add('SESSION001', unprotectedCookie())
  providers.lintRules.add('SESSION002', sharedCookie())
}

/** SESSION001: a cookie that scripts can read, or that is sent without TLS. */
function unprotectedCookie(): LintRule {
  return {
    about: 'a session cookie without HttpOnly or Secure',
    severity: 'warning',
    find: (configuration) =>
      cookieLines(configuration).flatMap((line): readonly LintFinding[] => {
        const attributes = attributesOf(line)
        // Without attributes the server writes both.
        if (attributes.length === 0) return []
        const missing = ['HttpOnly', 'Secure'].filter((name) => !attributes.includes(name.toLowerCase()))
        if (missing.length === 0) return []
        const risk = missing[0] === 'HttpOnly' ? 'scripts of the page can read it' : 'browsers send it without TLS, too'
        return [
          {
            file: line.file,
            line: line.line,
            message: `the session cookie lacks ${missing.join(' and ')}: ${risk}`,
            hint: `add ;${missing.join(';')} to the attributes`,
          },
        ]
      }),
  }
}

/** SESSION002: other hosts of a domain can read the session, and set one for the user (session fixation). */
function sharedCookie(): LintRule {
  return {
    about: 'a session cookie that other hosts share',
    severity: 'note',
    find: (configuration) =>
      cookieLines(configuration)
        .filter((line) => attributesOf(line).some((attribute) => attribute.startsWith('domain=')))
        .map(({ file, line }) => ({
          file,
          line,
          message: 'every host of the domain receives the session cookie, and can set it for the users of this one',
          hint: 'remove the attribute domain, unless all hosts of the domain are trusted',
        })),
  }
}

function cookieLines(configuration: LintedConfiguration): readonly LintedLine[] {
  const scopes = [...configuration.servers, ...configuration.sections]
  return scopes.flatMap((scope) => COOKIES.flatMap((directive) => configuration.linesOf(scope, directive)))
}

/** In lower case, without blanks. */
function attributesOf({ text }: LintedLine): readonly string[] {
  const { attributes } = cookieWords(text)
  return attributes
    .split(';')
    .map((attribute) => attribute.replace(/\s/g, '').toLowerCase())
    .filter((attribute) => attribute !== '')
}
