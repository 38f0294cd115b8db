import type { LintedConfiguration, LintRule, SectionInfo } from '@gatewright/api'
import type { BoundConfiguration } from '@gatewright/core'
import { byPlace, type Finding } from '../finding.ts'
import { ConfigFiles } from '../site/config-files.ts'
import { serverTexts } from '../site/server-texts.ts'
import { isSilenced } from './silenced.ts'

/** Which rules of modules are applied, and to what. */
export interface ModuleFindingsOptions {
  /** Absent: all. */
  readonly isWanted?: (id: string) => boolean
  /** Sections of .htaccess files, in addition to those of the server's files. */
  readonly accessFiles?: readonly SectionInfo[]
  /** What is written in the files; absent: the server's own files. */
  readonly files?: ConfigFiles
}

/**
 * What the rules of loaded modules find in a configuration. Some read files with the rights of the process: keys, for
 * example, which workers cannot read.
 */
export function moduleFindings(
  configuration: BoundConfiguration,
  { isWanted = () => true, accessFiles = [], files = new ConfigFiles(serverTexts(configuration)) }: ModuleFindingsOptions = {},
): readonly Finding[] {
  const { lintRules } = configuration.providers
  const linted = configuration.linted(accessFiles)
  const found = lintRules.names().flatMap((id) => {
    const rule = lintRules.get(id)
    if (rule === undefined || !isWanted(id)) return []
    return findingsOf(id, rule, linted, configuration.configFile).filter(
      ({ file, line }) => !isSilenced(files, id, { file, line }),
    )
  })
  // Virtual hosts inherit lines, and share files.
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()].sort(byPlace)
}

/** A rule that fails must not look like one that finds nothing. */
function findingsOf(id: string, rule: LintRule, linted: LintedConfiguration, configFile: string): readonly Finding[] {
  try {
    return rule.find(linted).map(({ severity = rule.severity, file, line, message, hint }) => ({
      rule: id,
      severity,
      file,
      line,
      message,
      hint: `${hint} (see ${id}.md)`,
    }))
  } catch (error) {
    const message = `the rule failed: ${error instanceof Error ? error.message : String(error)}`
    return [{ rule: id, severity: 'error', file: configFile, line: 0, message, hint: `report this to the authors of the module` }]
  }
}
