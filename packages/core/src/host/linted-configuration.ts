import type { LintedConfiguration, LintedLine, SectionInfo, Server } from '@gatewright/api'
import { type ConfigNode, splitWords } from '@gatewright/config'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'

/** What the lint rules of modules look at. */
export function lintedConfiguration(
  configuration: ServerConfiguration,
  accessFiles: readonly SectionInfo[] = [],
): LintedConfiguration {
  return {
    servers: configuration.servers,
    sections: [...configuration.sections, ...accessFiles],
    now: Date.now(),
    linesOf: (scope, directive) => {
      const nodes = 'kind' in scope ? linesOfSection(scope) : linesOfServer(scope, configuration.keptLines ?? [])
      return [...named(nodes, directive.toLowerCase())]
    },
    words: splitWords,
  }
}

function linesOfSection(section: SectionInfo): readonly ConfigNode[] {
  return section instanceof Section ? (section.lines ?? []) : []
}

function linesOfServer({ isVirtual, file, line }: Server, nodes: readonly ConfigNode[]): readonly ConfigNode[] {
  if (!isVirtual) return nodes
  return [...virtualHosts(nodes)].find((host) => host.file === file && host.line === line)?.children ?? []
}

function* virtualHosts(nodes: readonly ConfigNode[]): Generator<ConfigNode, void, void> {
  for (const node of nodes) {
    if (node.name.toLowerCase() === '<virtualhost') yield node
    else if (node.children !== null && !isSection(node)) yield* virtualHosts(node.children)
  }
}

function* named(nodes: readonly ConfigNode[], directive: string): Generator<LintedLine, void, void> {
  for (const node of nodes) {
    const { name, text, file, line, children } = node
    if (children === null) {
      if (name.toLowerCase() === directive) yield { name, text, file, line }
    } else if (!isSection(node)) yield* named(children, directive)
  }
}

/** Guards such as `<IfModule>` and containers such as `<Limit>` belong to the section around them. */
const SECTIONS =
  /^<(?:virtualhost|directory|directorymatch|location|locationmatch|files|filesmatch|if|elseif|else|proxy|proxymatch)$/i

function isSection({ name }: ConfigNode): boolean {
  return SECTIONS.test(name)
}
