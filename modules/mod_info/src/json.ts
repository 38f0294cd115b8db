import type { ConfigLine, ServerInventory } from '@gatewright/api/status'
import { asciiJson } from '@gatewright/api/text'
import type { PageContents } from './page.ts'
import { shownText } from './shown-line.ts'

/** The content of the page as one JSON object, in ASCII. */
export function infoJson({ inventory, facts }: PageContents): string {
  const { modules, hooks, providers, config, ...server } = inventory
  const whole = {
    server: { version: facts.banner, built: facts.built, mpm: facts.mpm, node: process.versions.node, ...server },
    modules,
    hooks: hooks.filter(({ functions }) => functions.length > 0),
    providers: providersByGroup(providers),
    config: config.map(lineObject),
  }
  // The configuration may contain any bytes.
  return `${asciiJson(whole)}\n`
}

function providersByGroup(providers: ServerInventory['providers']): Record<string, readonly string[]> {
  return Object.fromEntries(providers.map(({ group, names }) => [group, [...names].sort()]))
}

function lineObject(line: ConfigLine): object {
  const { name, file, source: module, children } = line
  const place = { file, line: line.line, module }
  if (children === null) return { directive: name, arguments: shownText(line), ...place }
  return { section: name.slice(1), arguments: line.text.replace(/>$/, ''), ...place, lines: children.map(lineObject) }
}
