import { type Command, directivePlace, type SectionInfo } from '@gatewright/api'
import { compileTemplate, matchUrlPrefix } from '@gatewright/api/text'
import type { AliasRule } from './alias-rule.ts'
import { type AliasConfig, isServerLevel } from './config.ts'
import { absolutePath } from './file-path.ts'

/** `Alias` and `ScriptAlias`: a prefix and a target at server level, only a target in a `<Location>`. */
export function addAlias(
  config: AliasConfig,
  first: string,
  second: string | undefined,
  handler: string | null,
  command: Command,
): string | undefined {
  const { section } = command
  if (second === undefined) {
    if (isServerLevel(section)) return 'Alias must have two arguments when used globally'
    const outside = sectionThatForbids(section)
    if (outside !== undefined) return `${command.name} cannot occur within <${outside}> section`
    const target = command.services.text(first, command)
    if ('error' in target) return `Cannot parse alias expression '${first}': ${target.error}`
    config.alias = { target, prefix: section.argument, handler, serverRoot: serverRoot(command), place: directivePlace(command) }
    return undefined
  }
  if (/^limit(except)?$/i.test(command.container ?? ''))
    return `${command.name} cannot occur within <Limit> or <LimitExcept> section`
  if (!isServerLevel(section)) return `${command.name} cannot occur within directory context`
  warnOfOverlap(config.serverAliases, first, command)
  const target = absolutePath(serverRoot(command), second)
  config.serverAliases.push({ kind: 'prefix', prefix: first, target, handler, place: directivePlace(command) })
  return undefined
}

/** `AliasMatch` and `ScriptAliasMatch`. */
export function addAliasMatch(
  config: AliasConfig,
  regex: string,
  target: string,
  handler: string | null,
  command: Command,
): string | undefined {
  const pattern = command.services.pattern(regex)
  if ('error' in pattern) return 'Regular expression could not be compiled.'
  config.serverAliases.push({
    kind: 'pattern',
    pattern,
    target: compileTemplate(target),
    handler,
    serverRoot: serverRoot(command),
    place: directivePlace(command),
  })
  return undefined
}

/** The form with one argument applies to URLs: it is rejected in sections for files or conditions. */
function sectionThatForbids(section: SectionInfo): string | undefined {
  for (let at: SectionInfo | null = section; at !== null; at = at.parent) {
    if (at.kind !== 'Location' && at.kind !== 'LocationMatch' && !isServerLevel(at)) return at.kind
  }
  return undefined
}

function warnOfOverlap(earlier: readonly AliasRule[], prefix: string, command: Command): void {
  const hiding = earlier.find((rule) =>
    rule.kind === 'prefix' ? matchUrlPrefix(prefix, rule.prefix) > 0 : rule.pattern.test(prefix),
  )
  if (hiding === undefined) return
  const kind = `${hiding.handler === null ? '' : 'Script'}Alias${hiding.kind === 'pattern' ? 'Match' : ''}`
  const place = `${command.file} at line ${command.line}`
  const text = `The ${command.name} directive in ${place} will probably never match because it overlaps an earlier ${kind}.`
  command.report('warn', 'AH00671', text)
}

function serverRoot(command: Command): string {
  return command.serverRelative('.')
}
