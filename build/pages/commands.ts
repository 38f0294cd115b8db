import { lineAt, type Page } from './pages.ts'

/** The known commands and options that pages may contain. */
export interface KnownCommands {
  /** Names of the scripts in the root's package.json. */
  readonly scripts: ReadonlySet<string>
  /** The names of workspaces, for `npm run build -w NAME`. */
  readonly workspaces: ReadonlySet<string>
  /** Source text in which the options of a program, or of the script `npm run NAME`, are declared; undefined for a program that is not ours. */
  sourceOf(program: string): string | undefined
}

/** Programs whose options are checked, by the last part of their path. */
const PROGRAMS = new Set([
  'httpd',
  'apachectl',
  'gatewright',
  'apxs',
  'htpasswd',
  'htdigest',
  'htdbm',
  'httxt2dbm',
  'rotatelogs',
  'logresolve',
  'split-logfile',
  'check_forensic',
  'htcacheclean',
  'configure',
  'install',
  'config.nice',
])
/** Options of configure that name modules and features; it accepts any. */
const OPEN_OPTIONS = /^--(?:en|dis)able-|^--with(?:out)?-/

/** Commands in code that name a script, a workspace or a long option which does not exist, as `PAGE:LINE: REASON`. */
export function wrongCommands(pages: readonly Page[], known: KnownCommands): string[] {
  return pages.flatMap(({ path, text }) =>
    codeOf(text).flatMap(({ code, index }) =>
      commandsIn(code).flatMap((words) => faults(words, known).map((reason) => `${path}:${lineAt(text, index)}: ${reason}`)),
    ),
  )
}

interface Code {
  readonly code: string
  readonly index: number
}

/** Inline code, and each line of fenced blocks that a shell reads. */
function codeOf(text: string): Code[] {
  const blocks = [...text.matchAll(/^( *)```(?:sh|console)[^\n]*\n([\s\S]*?)^\1```/gm)].flatMap((block) =>
    [...(block[2] ?? '').matchAll(/.+/g)].map((line): Code => {
      const start = block.index + block[0].indexOf(block[2] ?? '') + line.index
      return { code: line[0].replace(/\s#\s.*/, ''), index: start }
    }),
  )
  const fenceless = text.replace(/^( *)```[\s\S]*?^\1```$/gm, (block) => block.replace(/[^\n]/g, ' '))
  const inline = [...fenceless.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(({ 1: code = '', index }): Code => ({ code, index }))
  return [...blocks, ...inline]
}

/** The simple commands of a line, as words. */
function commandsIn(code: string): string[][] {
  return code.split(/&&|\|\||[;|]/).map((command) =>
    command
      .trim()
      .replace(/^[$(]\s*/, '')
      .split(/\s+/)
      .filter((word) => !/^\w+=/.test(word)),
  )
}

function faults(words: readonly string[], known: KnownCommands): string[] {
  const [first = '', ...rest] = words
  if (first === 'npm') return npmFaults(rest, known)
  const program = first.slice(first.lastIndexOf('/') + 1)
  return PROGRAMS.has(program) ? optionFaults(program, rest, known) : []
}

function npmFaults([verb, ...words]: readonly string[], known: KnownCommands): string[] {
  const script =
    verb === 'run' ? words.find((word) => !word.startsWith('-')) : verb === 'test' || verb === 'start' ? verb : undefined
  if (script === undefined || /[A-Z]/.test(script)) return []
  const workspace = words.indexOf('-w')
  if (workspace >= 0) {
    const name = words[workspace + 1] ?? ''
    return known.workspaces.has(name) || name.startsWith('mod_greeting') ? [] : [`no workspace ${name}`]
  }
  if (!known.scripts.has(script)) return [`no npm script ${script}`]
  const own = words.indexOf('--')
  return own < 0 ? [] : optionFaults(`npm run ${script}`, words.slice(own + 1), known)
}

function optionFaults(program: string, words: readonly string[], known: KnownCommands): string[] {
  const source = known.sourceOf(program)
  if (source === undefined) return []
  return words.flatMap((word) => {
    const option = /^\[?(--[a-z][\w.-]*)/.exec(word)?.[1]
    if (option === undefined || OPEN_OPTIONS.test(option) || option === '--help') return []
    const name = option.slice(2)
    const declared = source.includes(option) || new RegExp(`['"]${name}['"]|\\b${name}\\??:`).test(source)
    return declared ? [] : [`${program} has no option ${option}`]
  })
}
