/** The heading of a manual page. */
export interface PageIdentity {
  /** The command, as a person types it. */
  readonly name: string
  /** 1 for programs of everybody, 8 for those of administrators. */
  readonly section: 1 | 8
  readonly version: string
  /** Names under which programs are installed, where the manual has others: by the names in the manual. */
  readonly commands?: ReadonlyMap<string, string>
}

/**
 * A manual in Markdown as a page for `man`: headings, paragraphs, lists, blocks of code and tables. A row of a table is a
 * paragraph that begins with its first cell, because terminals are narrower than our tables. The first sentence is the
 * description in the section NAME.
 */
export function manualPage(markdown: string, { name, section, version, commands = new Map() }: PageIdentity): string {
  const blocks = blocksOf(withCommands(withoutLinks(markdown), commands))
  const [first = 'Part of Gatewright.'] = blocks.flatMap((block) => (block.kind === 'text' ? [block.lines.join(' ')] : []))
  const about = plain(firstSentence(first)).replace(/\.$/, '')
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} ${section} "" "Gatewright ${version}" "Gatewright"`,
    '.SH NAME',
    `${escaped(name)} \\- ${about}`,
    '.SH DESCRIPTION',
    ...blocks.flatMap(roffLines),
    '',
  ].join('\n')
}

/** A page that only refers to another one of the same section. */
export function aliasPage(target: string, section: 1 | 8): string {
  return `.so man${section}/${target}.${section}\n`
}

/** Code that begins with a program's name, or its path, begins with its command instead. */
function withCommands(markdown: string, commands: ReadonlyMap<string, string>): string {
  return markdown.replace(
    /(^|`|sudo )(?:(?:dist\/)?bin\/)?([a-z][\w-]*)(?=[ `\n])/gm,
    (whole, before: string, program: string, at: number) => {
      const command = commands.get(program)
      const isCode = before !== '' || isInFence(markdown, at)
      return command === undefined || !isCode ? whole : `${before}${command}`
    },
  )
}

function isInFence(markdown: string, at: number): boolean {
  return (markdown.slice(0, at).match(/^ *```/gm)?.length ?? 0) % 2 === 1
}

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code' | 'text' | 'table'; readonly lines: readonly string[] }
  | { readonly kind: 'item'; readonly lines: readonly string[] }

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    const taken = (accept: (next: string) => boolean): string[] => {
      const found = [line]
      while (at + 1 < lines.length && accept(lines[at + 1])) found.push(lines[++at])
      return found
    }
    const heading = /^(#+) (.*)$/.exec(line)
    const fence = /^ *```/.exec(line)
    if (line.trim() === '') continue
    if (heading !== null) blocks.push({ kind: 'heading', level: heading[1].length, text: heading[2] })
    else if (fence !== null) {
      const [, ...code] = taken((next) => !/^ *```/.test(next))
      at++
      blocks.push({ kind: 'code', lines: code })
    } else if (line.startsWith('|')) blocks.push({ kind: 'table', lines: taken((next) => next.startsWith('|')) })
    else if (/^ *(?:-|\d+\.) /.test(line))
      blocks.push({ kind: 'item', lines: taken((next) => /^ +\S/.test(next) && !/^ *(?:-|\d+\.) /.test(next)) })
    else blocks.push({ kind: 'text', lines: taken((next) => next.trim() !== '' && !/^(?:#|\||```|- )/.test(next)) })
  }
  return blocks
}

function roffLines(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      if (block.level === 1) return []
      return [`${block.level === 2 ? '.SH' : '.SS'} "${inline(block.text).replaceAll('"', '\\(dq')}"`]
    case 'code':
      return ['.PP', '.RS 4', '.nf', ...block.lines.map(protectedLine), '.fi', '.RE']
    case 'item': {
      const [first, ...rest] = block.lines
      const text = [first.replace(/^ *(?:-|\d+\.) /, ''), ...rest.map((line) => line.trim())].join(' ')
      return ['.IP \\(bu 2', startable(inline(text))]
    }
    case 'table':
      return tableLines(block.lines)
    case 'text':
      return ['.PP', startable(inline(block.lines.join(' ')))]
  }
}

function tableLines(lines: readonly string[]): string[] {
  const [head = [], , ...rows] = lines.map(cellsOf)
  return rows.flatMap(([first = '', ...others]) => [
    '.TP',
    startable(`\\fB${inline(first).replaceAll('\\fR', '\\fB')}\\fR`),
    startable(
      others.length === 1
        ? inline(others[0])
        : others.map((cell, at) => `${inline(head[at + 1] ?? '')}: ${inline(cell)}`).join('; '),
    ),
  ])
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Code in bold type, emphasis in italics, links as their text. */
function inline(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? `\\fB${escaped(part.slice(1, -1))}\\fR` : prose(part)))
    .join('')
}

function prose(text: string): string {
  return escaped(text)
    .replace(/\*\*([^*]+)\*\*/g, '\\fB$1\\fR')
    .replace(/(?<!\w)_([^_]+)_(?!\w)/g, '\\fI$1\\fR')
}

/** Without any type. */
function plain(text: string): string {
  return escaped(text.replaceAll('`', '').replaceAll('**', ''))
}

function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<(https?:[^>]*)>/g, '$1')
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '') ?? text
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
}

function protectedLine(line: string): string {
  return startable(escaped(line))
}

/** A dot or an apostrophe at the beginning of a line would be a request. */
function startable(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}
