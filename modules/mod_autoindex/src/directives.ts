import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { AutoindexConfig, Column, DescriptionRule } from './config.ts'
import { FOLDER_NAME, fileRule, type RuleSubject } from './file-rules.ts'
import { applyIndexOptions } from './index-options.ts'
import { sectionPath } from './section-path.ts'

const PLACE = { scope: 'directory', context: contexts.anywhere, override: 'Indexes' } as const

export const directives: DirectiveTable<AutoindexConfig, undefined> = {
  AddIcon: directive.iterate2({
    ...PLACE,
    help: 'an icon URL followed by one or more filenames',
    set: (config, icon, name, command) => addIcon(config, 'path', icon, name, command),
  }),
  AddIconByType: directive.iterate2({
    ...PLACE,
    help: 'an icon URL followed by one or more MIME types',
    set: (config, icon, type, command) => addIcon(config, 'type', icon, type, command),
  }),
  AddIconByEncoding: directive.iterate2({
    ...PLACE,
    help: 'an icon URL followed by one or more content encodings',
    set: (config, icon, encoding, command) => addIcon(config, 'encoding', icon, encoding, command),
  }),
  AddAlt: directive.iterate2({
    ...PLACE,
    help: 'alternate descriptive text followed by one or more filenames',
    set: (config, text, name, command) => addAlt(config, 'path', text, name, command),
  }),
  AddAltByType: directive.iterate2({
    ...PLACE,
    help: 'alternate descriptive text followed by one or more MIME types',
    set: (config, text, type, command) => addAlt(config, 'type', text, type, command),
  }),
  AddAltByEncoding: directive.iterate2({
    ...PLACE,
    help: 'alternate descriptive text followed by one or more content encodings',
    set: (config, text, encoding, command) => addAlt(config, 'encoding', text, encoding, command),
  }),
  IndexOptions: directive.argv({
    ...PLACE,
    help: 'one or more index options [+|-][]',
    set: (config, words) => applyIndexOptions(config, words),
  }),
  IndexOrderDefault: directive.take2({
    ...PLACE,
    help: '{Ascending,Descending} {Name,Size,Description,Date}',
    set: (config, direction, column) => setOrder(config, direction.toLowerCase(), column.toLowerCase()),
  }),
  IndexIgnore: directive.iterate({
    ...PLACE,
    help: 'one or more file extensions',
    set: (config, name, command) => {
      // Only the last part of a path counts.
      const pattern = name.slice(name.lastIndexOf('/') + 1)
      config.ignored.push({ scope: `${sectionPath(command.section)}*`, pattern })
    },
  }),
  IndexIgnoreReset: directive.flag({
    ...PLACE,
    help: 'Reset the inherited list of IndexIgnore filenames',
    set: (config, on) => {
      config.ignoreReset = on
    },
  }),
  AddDescription: directive.iterate2({
    ...PLACE,
    help: 'Descriptive text followed by one or more filenames',
    set: (config, description, name, command) => {
      config.descriptions.push(descriptionRule(description, name, command))
    },
  }),
  HeaderName: directive.take1({
    ...PLACE,
    help: 'a filename',
    set: (config, url) => {
      config.header = url
    },
  }),
  ReadmeName: directive.take1({
    ...PLACE,
    help: 'a filename',
    set: (config, url) => {
      config.readme = url
    },
  }),
  FancyIndexing: directive.raw({
    ...PLACE,
    help: 'no longer supported',
    set: () => 'The FancyIndexing directive is no longer supported. Use IndexOptions FancyIndexing.',
  }),
  DefaultIcon: directive.take1({
    ...PLACE,
    help: 'an icon URL',
    set: (config, url) => {
      config.defaultIcon = url
    },
  }),
  IndexStyleSheet: directive.take1({
    ...PLACE,
    help: 'URL to style sheet',
    set: (config, url) => {
      config.styleSheet = url
    },
  }),
  IndexHeadInsert: directive.take1({
    ...PLACE,
    help: 'String to insert in HTML HEAD section',
    set: (config, markup) => {
      config.headInsert = markup
    },
  }),
}

/** An icon is a URL, or `(TEXT,URL)`, which also sets the alternative text as AddAlt does. */
function addIcon(
  config: AutoindexConfig,
  subject: RuleSubject,
  icon: string,
  name: string,
  command: Command,
): string | undefined {
  let url = icon
  if (icon.startsWith('(')) {
    const close = icon.indexOf(')')
    if (close < 0) return 'missing closing paren'
    const comma = icon.indexOf(',')
    addAlt(config, subject, icon.slice(1, comma < 0 ? close : comma), name, command)
    url = comma < 0 ? '' : icon.slice(comma + 1, Math.max(close, comma + 1)).replace(/^,+/, '')
  }
  config.icons.push(fileRule(sectionPath(command.section), subject, ruleName(subject, name), url))
  return undefined
}

function addAlt(config: AutoindexConfig, subject: RuleSubject, text: string, name: string, command: Command): void {
  config.alts.push(fileRule(sectionPath(command.section), subject, ruleName(subject, name), text))
}

/** Accepts the old name for folders. */
function ruleName(subject: RuleSubject, name: string): string {
  return subject === 'path' && name === '**DIRECTORY**' ? FOLDER_NAME : name
}

const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['name', 'N'],
  ['date', 'M'],
  ['size', 'S'],
  ['description', 'D'],
])

function setOrder(config: AutoindexConfig, direction: string, column: string): string | undefined {
  if (direction !== 'ascending' && direction !== 'descending') return "First keyword must be 'Ascending' or 'Descending'"
  const found = COLUMNS.get(column)
  if (found === undefined) return "Second keyword must be 'Name', 'Date', 'Size', or 'Description'"
  config.direction = direction === 'ascending' ? 'A' : 'D'
  config.column = found
  return undefined
}

/** A plain name matches anywhere in a file's name; so does a pattern; a path matches after a slash. */
function descriptionRule(description: string, name: string, command: Command): DescriptionRule {
  const { services } = command
  if (name.includes('/')) return { of: 'path', pattern: services.shellPattern(`*/${name}*`), description }
  if (services.isShellPattern(name)) return { of: 'name', pattern: services.shellPattern(`*${name}*`), description }
  return { of: 'name', pattern: name, description }
}
