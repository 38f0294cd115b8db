import { parseDocument } from '@gatewright/config'
import { ConfigError } from '@gatewright/core'
import { forwardingRules } from './forwarding-rules.ts'
import { innermostMistake } from './innermost-mistake.ts'
import { atUsersLine } from './users-lines.ts'

/** A line of a module that this server does not provide. */
export interface PassedOver {
  readonly file: string
  readonly line: number
  readonly text: string
  /** The server's message about it. */
  readonly message: string
  readonly hint: string | null
}

type Mistake = ReturnType<typeof innermostMistake>

/** Maximum number of skipped lines before a configuration counts as written for a different server. */
const MOST = 300

/**
 * Opens configurations that were written for a server with more modules. Unknown lines are read as if they
 * were empty, in the same way in every opened configuration.
 */
export class TolerantOpening {
  readonly passedOver: PassedOver[] = []
  readonly #unknown = new Set<string>()
  readonly #tolerates: (mistake: Mistake) => boolean

  /**
   * @param tolerates which errors to skip; by default lines of unavailable modules, unless they affect access
   */
  constructor(tolerates: (mistake: Mistake) => boolean = ({ message }) => UNKNOWN.test(message) && !DECIDES.test(message)) {
    this.#tolerates = tolerates
  }

  /** @throws ConfigError for every other error, at its line in the file on the disk */
  async open<T>(texts: ReadonlyMap<string, string>, attempt: (texts: ReadonlyMap<string, string>) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt(new Map([...texts].map(([path, text]) => [path, this.#emptied(path, text)])))
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const mistake = innermostMistake(error)
        if (this.#unknown.size >= MOST || !this.#tolerates(mistake)) throw atUsersLine(error, texts)
        const { file, line, message, hint = null } = mistake
        const text = lineAt(texts.get(file) ?? '', line)
        if (text === undefined || this.#unknown.has(text)) throw atUsersLine(error, texts)
        this.#unknown.add(text)
        this.#report({ file, line, text, message, hint })
      }
    }
  }

  #report(mistake: PassedOver): void {
    const text = mistake.text.trim()
    const { file } = mistake
    if (!this.passedOver.some((one) => one.file === file && one.text === text)) this.passedOver.push({ ...mistake, text })
  }

  /** Replaces lines by empty ones, so that the others keep their numbers. */
  #emptied(path: string, text: string): string {
    const lines = text.split('\n')
    const blank = (first: number, last: number): void => {
      for (let line = first; line <= last; line++) lines[line - 1] = ''
    }
    const visit = (items: ReturnType<typeof parseDocument>['items']): void => {
      const forwarding = forwardingRules(items)
      for (const { line = 1, lastLine } of forwarding)
        this.#report({ file: path, line, text: lines.slice(line - 1, lastLine).join('\n'), message: FORWARDING, hint: null })
      for (const item of items) {
        const last = item.kind === 'section' ? (item.closing?.lastLine ?? item.lastLine ?? 0) : (item.lastLine ?? 0)
        if (forwarding.has(item) || (item.kind === 'directive' && LOGS_AND_RUNTIME.has(item.name.toLowerCase())))
          blank(item.line ?? 1, last)
        else if (
          item.kind !== 'blank' &&
          item.kind !== 'comment' &&
          this.#unknown.has(lines.slice((item.line ?? 1) - 1, item.lastLine).join('\n'))
        )
          blank(item.line ?? 1, last)
        else if (item.kind === 'section') visit(item.items)
      }
    }
    visit(parseDocument(text).items)
    return lines.join('\n')
  }
}

const FORWARDING = 'mod_proxy, which would answer such requests, is not provided by this server'

/**
 * The folders of these files may be on another machine, or be created at the first start of the server, and
 * their content does not affect access.
 */
const LOGS_AND_RUNTIME: ReadonlySet<string> = new Set(['errorlog', 'customlog', 'transferlog', 'pidfile', 'defaultruntimedir'])

/**
 * Without these directives a configuration would decide differently, so it does not load if their module is
 * missing.
 */
const DECIDES = /^Invalid command '<?(?:order|allow|deny|satisfy|require(?:all|any|none)?|authtype)\b/i

const UNKNOWN = /^Invalid command|^Cannot load |^Unknown Auth[nz] provider|^module \S+ is built-in/

/** The whole directive that contains a line, or ends at it. */
function lineAt(text: string, line: number): string | undefined {
  const lines = text.split('\n')
  const find = (items: ReturnType<typeof parseDocument>['items']): string | undefined => {
    for (const item of items) {
      if ((item.line ?? 0) <= line && line <= (item.lastLine ?? 0))
        return lines.slice((item.line ?? 1) - 1, item.lastLine).join('\n')
      const inner = item.kind === 'section' ? find(item.items) : undefined
      if (inner !== undefined) return inner
    }
    return undefined
  }
  return find(parseDocument(text).items)
}
