import type { LintFinding, LintRule, ModuleHost, Server } from '@gatewright/api'
import type { RateConfig } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers }: ModuleHost<RateConfig, undefined>): void {
  providers.lintRules.add('RATE001', keyOfClient())
  providers.lintRules.add('RATE002', userWithoutLogin())
  providers.lintRules.add('RATE003', sharedWithoutCache())
}

/** RATE001: a client chooses the key, and so escapes the limit. */
function keyOfClient(): LintRule {
  return {
    about: 'a rate by a field that clients choose',
    severity: 'warning',
    find: (configuration) =>
      [...configuration.servers, ...configuration.sections].flatMap((scope) =>
        configuration.linesOf(scope, 'RequestRate').flatMap(({ text, file, line }): readonly LintFinding[] => {
          const key = configuration.words(text).find((word) => /^key=/i.test(word)) ?? ''
          if (!/%\{(?:HTTP:|req:|http:|HTTP_|QUERY_STRING)/i.test(key) || /REMOTE_ADDR|REMOTE_USER/.test(key)) return []
          return [
            {
              file,
              line,
              message: 'the key is a field of the request: a client that changes it in each request is never limited',
              hint: 'use key=client, which is the address that mod_remoteip finds, or key=user',
            },
          ]
        }),
      ),
  }
}

/** RATE002: nobody has a user there, so nobody is limited. */
function userWithoutLogin(): LintRule {
  return {
    about: 'a rate by user where nobody logs in',
    severity: 'note',
    find: (configuration) => {
      const logins = [...configuration.servers, ...configuration.sections].some(
        (scope: Server | (typeof configuration.sections)[number]) => configuration.linesOf(scope, 'AuthType').length > 0,
      )
      if (logins) return []
      return [...configuration.servers, ...configuration.sections].flatMap((scope) =>
        configuration
          .linesOf(scope, 'RequestRate')
          .filter(({ text }) => /\bkey=user\b/i.test(text))
          .map(({ file, line }) => ({
            file,
            line,
            message: 'requests without a user are not counted, and no AuthType logs anybody in',
            hint: 'use key=client, or add AuthType and Require',
          })),
      )
    },
  }
}

/** RATE003: there is no cache of several machines. */
function sharedWithoutCache(): LintRule {
  return {
    about: 'a shared rate without SharedCache',
    severity: 'note',
    find: (configuration) => {
      const { servers, sections } = configuration
      if (servers.some((server) => configuration.linesOf(server, 'SharedCache').length > 0)) return []
      return [...servers, ...sections].flatMap((scope) =>
        configuration
          .linesOf(scope, 'RequestRate')
          .filter(({ text }) => configuration.words(text).some((word) => /^shared(?:=strict)?$/i.test(word)))
          .map(({ file, line }) => ({
            file,
            line,
            message: 'without SharedCache the rate is shared by the processes of this server only',
            hint: 'add SharedCache with the Redis or memcached of all machines',
          })),
      )
    },
  }
}
