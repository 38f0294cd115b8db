import type { LintedConfiguration, LintRule } from '@gatewright/api'
import { errorMessage } from '../base/error-text.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { lintedConfiguration } from './linted-configuration.ts'

/** What modules report to operators who test or start a configuration. */
export function moduleHints(configuration: ServerConfiguration): string[] {
  const { lintRules } = configuration.providers
  const linted = lintedConfiguration(configuration)
  return lintRules.names().flatMap((id) => {
    const rule = lintRules.get(id)
    return rule?.isHint === true ? hintsOf(id, rule, linted) : []
  })
}

/** A rule that fails does not prevent a start. */
function hintsOf(id: string, rule: LintRule, linted: LintedConfiguration): string[] {
  try {
    return rule
      .find(linted)
      .map(({ file, line, message, hint }) => `${line === 0 ? file : `${file}:${line}`}: ${message}: ${hint}`)
  } catch (error) {
    return [`the lint rule ${id} failed: ${errorMessage(error)}`]
  }
}
