import type { PlacedConfig, Problem } from '@gatewright/api'
import type { AuthzConfig } from './config.ts'
import { tidied } from './decision/tidy.ts'

/**
 * Simplifies the trees of all sections in the server's files, once, before sections are merged.
 * @returns httpd's error, with a hint, if a tree can never grant
 */
export function checkTrees(placed: readonly PlacedConfig<AuthzConfig>[]): Problem | undefined {
  for (const { config } of placed) {
    if (config.root === null) continue
    const tidy = tidied(config.root)
    if ('onlyNegative' in tidy) {
      const { title, place } = tidy.onlyNegative
      return {
        code: 'AH01624',
        message: `${title} directive contains only negative authorization directives`,
        hint: `${place.file}:${place.line}: it can deny but never grant; add \`Require all granted\` to the negations to grant the rest`,
      }
    }
    config.root = tidy
  }
  return undefined
}
