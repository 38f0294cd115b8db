import type { LintFinding, ModuleHost, SectionInfo } from '@gatewright/api'
import { missingOf } from './bearer-authentication.ts'
import { type BearerConfig, mergeBearer } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers, configIn }: ModuleHost<BearerConfig, undefined>): void {
  const configAround = (section: SectionInfo): BearerConfig =>
    mergeBearer(section.parent === null ? {} : configAround(section.parent), configIn(section) ?? {})

  providers.lintRules.add('BEARER001', {
    about: 'tokens that cannot be verified',
    severity: 'error',
    find: (configuration) =>
      configuration.sections.flatMap((section): readonly LintFinding[] =>
        configuration
          .linesOf(section, 'AuthType')
          .filter(({ text }) => configuration.words(text)[0]?.toLowerCase() === 'bearer')
          .flatMap(({ file, line }) => {
            const missing = missingOf(configAround(section))
            if (missing === null) return []
            const message = `every request is answered with 500, because ${missing} is missing in this section`
            return [
              {
                file,
                line,
                message,
                hint: `add ${missing}; sections around this one by path are not seen here`,
                severity: 'warning' as const,
              },
            ]
          }),
      ),
  })
  providers.lintRules.add('BEARER002', {
    about: 'tokens of any type',
    severity: 'note',
    find: (configuration) =>
      configuration.sections.flatMap((section): readonly LintFinding[] => {
        const { keys, type } = configAround(section)
        if (keys === undefined || type !== undefined) return []
        return configuration.linesOf(section, 'AuthBearerKeys').map(({ file, line }) => ({
          file,
          line,
          message: 'ID tokens of the same issuer and audience are accepted as access tokens',
          hint: 'add AuthBearerTokenType at+jwt if the issuer follows RFC 9068, or AuthBearerTokenType any',
        }))
      }),
  })
}
