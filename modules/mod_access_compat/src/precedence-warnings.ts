import { type ModuleHost, mergedLater, type SectionInfo, type StartContext } from '@gatewright/api'
import { type RequireSection, requireSectionsOf } from '@gatewright/api/peers'
import type { HostRules } from './host-rules.ts'
import { isFolderSection, isUrlSection, type ServerSettings } from './precedence.ts'
import { covers } from './section-cover.ts'

/**
 * `-t`: one warning for each pair of sections in which AccessCompatPrecedence manual lets the host rules of
 * one replace the Require directives of the other, if the sections alone show it.
 */
export function warnOfDisagreements(host: ModuleHost<HostRules, ServerSettings>, start: StartContext): void {
  if (['DUMP_VHOSTS', 'DUMP_RUN_CFG', 'DUMP_MODULES', 'DUMP_INCLUDES'].some((name) => start.defined(name))) return
  const trees = host.functions.get(requireSectionsOf)?.() ?? []
  for (const { config, section } of host.placedConfigs()) {
    if (!isUrlSection(section) || !hasDecision(config)) continue
    if (host.serverConfigOf(section.server).precedence === 'httpd') continue
    const replaced = replacedTree(section, trees)
    if (replaced === undefined) continue
    host.log.write(
      null,
      'warn',
      '',
      `${place(section)} has Order, Allow or Deny lines, which replace the Require lines of ${place(replaced)} there; httpd evaluates both and answers 403 ` +
        'if either denies. Set "AccessCompatPrecedence httpd" for the same answer here',
    )
  }
}

/** Whether host rules decide for some method, without Satisfy Any. */
function hasDecision(rules: Readonly<HostRules>): boolean {
  for (let number = 0; number < rules.satisfy.length; number++) {
    if (rules.ruled.has(number) && rules.satisfy[number] !== 'any') return true
  }
  return false
}

/**
 * The last section of the Require tree that the host rules of a URL section override; undefined if they
 * override none.
 */
function replacedTree(section: SectionInfo, all: readonly RequireSection[]): SectionInfo | undefined {
  if (all.some((other) => other.section === section)) return undefined
  let tree: RequireSection[] = []
  const earlier = all.filter((other) => mergedLater(section, other.section) && covers(other.section, section))
  earlier.sort((a, b) => (mergedLater(b.section, a.section) ? -1 : 1))
  for (const other of earlier) {
    const joins = other.merging === 'and' || other.merging === 'or'
    if (other.requires) tree = joins ? [...tree, other] : [other]
    else tree = []
  }
  if (!tree.every((other) => other.hostOnly && isFolderSection(other.section))) return undefined
  if (tree.every(({ grantsAll }) => grantsAll)) return undefined
  return tree.at(-1)?.section
}

function place({ title, file, line }: SectionInfo): string {
  return `${title} (${file}:${line})`
}
