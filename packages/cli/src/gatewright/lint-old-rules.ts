import { ConfigFiles, type Finding, lint, type PolicyServer, upgrade, type Variant } from '@gatewright/policy'
import type { FilesToMigrate } from './migrate-files.ts'

/**
 * The relevant findings of lint in rules that are to be rewritten: after a rewrite, a mistake looks
 * intentional. Places are those of the original files.
 * @throws ConfigError if the configuration does not load
 */
export async function lintOldRules(
  { texts, madeUp }: FilesToMigrate,
  open: (variant: Variant) => Promise<PolicyServer>,
): Promise<readonly Finding[]> {
  const old = upgrade(new ConfigFiles(texts))
  const server = await open({ texts: old.texts, folders: new Set(), after: [] })
  try {
    const findings = await lint(server, { madeUp })
    return findings
      .filter(({ severity }) => severity !== 'note')
      .map((finding) => ({ ...finding, line: finding.line === 0 ? 0 : old.originalLine(finding.file, finding.line) }))
  } finally {
    await server.close()
  }
}
