import type { LintedConfiguration, LintedLine, LintFinding, LintRule } from '@gatewright/api'
import { readStatement } from './placeholders.ts'

/** Directives whose first word is a statement. */
const QUERIES = ['AuthDBDUserPWQuery', 'AuthDBDUserRealmQuery', 'AuthzDBDQuery', 'AuthzDBDRedirectQuery', 'DBDPrepareSQL']
/** Those whose statement is about the user. */
const ABOUT_USERS = ['AuthDBDUserPWQuery', 'AuthDBDUserRealmQuery', 'AuthzDBDQuery']

/** DBD001: a placeholder in quotation marks is none, so the statement finds nothing. */
export const quotedPlaceholderRule: LintRule = {
  about: 'placeholders in quotation marks',
  severity: 'warning',
  isHint: true,
  find: (configuration) =>
    [...statements(configuration, QUERIES), ...mapQueries(configuration)].flatMap(({ line, sql }) =>
      readStatement('', sql).quoted === 0
        ? []
        : [
            finding(
              line,
              `the placeholder in quotation marks in ${line.name} gets no value`,
              'write %s without quotation marks: values are bound, and need none',
            ),
          ],
    ),
}

/** DBD002: a query without placeholder has the same answer for everybody. */
export const missingPlaceholderRule: LintRule = {
  about: 'queries that do not depend on the user',
  severity: 'warning',
  isHint: true,
  find: (configuration) =>
    statements(configuration, ABOUT_USERS).flatMap(({ line, sql }) => {
      const { types, quoted } = readStatement('', sql)
      if (types.length > 0 || quoted > 0) return []
      const message = `${line.name} has no placeholder, so its answer is the same for every user`
      return [finding(line, message, 'add a condition with the name of the user, such as WHERE name = %s')]
    }),
}

/** DBD003: a redirect to where the client says it comes from. */
export const refererRule: LintRule = {
  about: 'redirects to any site after a login',
  severity: 'note',
  find: (configuration) =>
    linesOf(configuration, 'AuthzDBDLoginToReferer').flatMap((line) =>
      line.text.trim().toLowerCase() === 'on'
        ? [
            finding(
              line,
              'a login redirects to the Referer, which may be of any site',
              'use AuthzDBDRedirectQuery for pages of this site',
            ),
          ]
        : [],
    ),
}

function finding({ file, line }: LintedLine, message: string, hint: string): LintFinding {
  return { file, line, message, hint }
}

function linesOf(configuration: LintedConfiguration, directive: string): LintedLine[] {
  return [...configuration.servers, ...configuration.sections].flatMap((scope) => [...configuration.linesOf(scope, directive)])
}

function statements(
  configuration: LintedConfiguration,
  directives: readonly string[],
): { readonly line: LintedLine; readonly sql: string }[] {
  return directives.flatMap((directive) =>
    linesOf(configuration, directive).map((line) => ({ line, sql: configuration.words(line.text)[0] ?? '' })),
  )
}

/** The queries of the maps `dbd` and `fastdbd` of mod_rewrite. */
function mapQueries(configuration: LintedConfiguration): { readonly line: LintedLine; readonly sql: string }[] {
  return linesOf(configuration, 'RewriteMap').flatMap((line) => {
    const source = configuration.words(line.text)[1] ?? ''
    const query = /^(?:fast)?dbd:(.*)$/is.exec(source)?.[1]
    return query === undefined ? [] : [{ line, sql: query }]
  })
}
