import type { LintedConfiguration, LintedLine, LintRule, SectionInfo, Server } from '@gatewright/api'

/** A server in the clear with one section, in which all lines are. */
const SERVER = { serverName: 'localhost', aliases: [], protocol: 'http' } as unknown as Server
const SECTION = {
  kind: 'Location',
  argument: '/',
  file: 'httpd.conf',
  line: 1,
  parent: null,
  server: SERVER,
} as unknown as SectionInfo

/** What a rule says about the lines of a section, as `LINE: MESSAGE`. */
export function lintFindings(rule: LintRule | undefined, ...lines: readonly string[]): string[] {
  if (rule === undefined) throw new Error('there is no such rule')
  const linted: LintedLine[] = lines.map((line, index) => {
    const [name = '', ...rest] = line.split(' ')
    return { name, text: rest.join(' '), file: 'httpd.conf', line: index + 1 }
  })
  const configuration: LintedConfiguration = {
    servers: [SERVER],
    sections: [SECTION],
    now: 0,
    linesOf: (scope, directive) =>
      scope === SECTION ? linted.filter(({ name }) => name.toLowerCase() === directive.toLowerCase()) : [],
    words: (text) => Array.from(text.matchAll(/"((?:\\.|[^"])*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? ''),
  }
  return rule.find(configuration).map(({ line, message }) => `${line}: ${message}`)
}
