import { PROGRAM_KINDS, type ProgramKind } from './program-kinds.ts'

/** The line of a directive that marks files as programs. */
export interface ProgramLine {
  readonly kind: ProgramKind
  /** The line as written: `ScriptAlias /cgi-bin/ "/usr/lib/cgi-bin/"`. */
  readonly text: string
  readonly file: string
  readonly line: number
}

/** Whether a line marks files as programs, and of which kind. */
export function programKindOfLine(name: string, words: string): ProgramKind | undefined {
  const directive = name.toLowerCase()
  if (directive === 'scriptalias' || directive === 'scriptaliasmatch') return PROGRAM_KINDS.find((kind) => kind.name === 'CGI')
  if (!HANDLER_LINES.has(directive)) return undefined
  const [handler = ''] = words
    .trim()
    .replace(/^"([^"]*)".*$/, '$1')
    .split(/\s+/)
  return PROGRAM_KINDS.find((kind) => kind.handler.test(handler))
}

const HANDLER_LINES: ReadonlySet<string> = new Set(['sethandler', 'addhandler', 'addtype', 'forcetype'])
