import type { HostServices, Request, Table } from '@gatewright/api'
import { compileStrftime, escapeShell } from '@gatewright/api/text'
import { decodeUri } from './encodings.ts'

/** What variables need of the page that asks for one. */
export interface TimesOfPage {
  readonly timeFormat: string
  /** Modification time of the document in milliseconds. */
  readonly modifiedMs: number
}

/** Variables whose values depend on SSITimeFormat, or cost a look-up, so that they are made when a page asks for them. */
const LATE: ReadonlySet<string> = new Set(['DATE_LOCAL', 'DATE_GMT', 'LAST_MODIFIED', 'USER_NAME'])

/** How much pages may keep in variables for one request, in bytes: a page is text of a tenant. */
const MOST_KEPT = 8 * 1024 * 1024

/**
 * The variables of a page and of the pages that it includes, which share them: the environment of the request, so that
 * included programs have them too.
 */
export class Variables {
  readonly #request: Request
  readonly #services: HostServices
  /** The environments of the pages from the outermost one to that which is being processed. */
  readonly #environments: Table[]
  readonly #late = new Set(LATE)
  /** The length of all values that pages have set. */
  #kept = 0

  /** The variables of a page that no other one includes. */
  constructor(request: Request, services: HostServices) {
    this.#request = request
    this.#services = services
    const { env } = request
    this.#environments = [env]
    for (const [name, value] of services.cgiVariables(request)) env.set(name, value)
    for (const name of ['DATE_LOCAL', 'DATE_GMT', 'LAST_MODIFIED']) env.set(name, '')
    env.set('DOCUMENT_URI', request.uri)
    env.set('DOCUMENT_ARGS', request.args ?? '')
    if (request.pathInfo !== '') env.set('DOCUMENT_PATH_INFO', request.pathInfo)
    env.set('USER_NAME', '')
    const { filename } = request
    env.set('DOCUMENT_NAME', filename.includes('/') ? filename.slice(filename.lastIndexOf('/') + 1) : request.uri)
    this.#addQuery(request)
  }

  /** The page of a sub-request begins: it has these variables in the place of its own, and its query. */
  enter(request: Request): void {
    for (const [name] of [...request.env]) request.env.unset(name)
    for (const [name, value] of this.#environments[0]) request.env.set(name, value)
    this.#environments.push(request.env)
    this.#addQuery(request)
  }

  /** The page of a sub-request ends. */
  leave({ env }: Request): void {
    const at = this.#environments.indexOf(env)
    if (at > 0) this.#environments.splice(at, 1)
  }

  get(name: string, page: TimesOfPage): string | undefined {
    const key = name.toUpperCase()
    if (this.#late.has(key)) this.#make(key, page)
    return this.#environments[0].get(name)
  }

  /** Keeps a value that a page sets. @returns false if it is too much with the others */
  keep(name: string, value: string): boolean {
    const kept = this.#kept - (this.#environments[0].get(name)?.length ?? 0) + value.length
    if (kept > MOST_KEPT) return false
    this.#kept = Math.max(0, kept)
    this.set(name, value)
    return true
  }

  set(name: string, value: string): void {
    this.#late.delete(name.toUpperCase())
    for (const env of this.#environments) env.set(name, value)
  }

  /** The times in the format of the page, which has changed it. */
  remakeTimes(page: TimesOfPage): void {
    for (const name of LATE) if (name !== 'USER_NAME') this.#make(name, page)
  }

  /** All variables as a page prints them. */
  entries(page: TimesOfPage): [name: string, value: string][] {
    for (const name of [...this.#late]) this.#make(name, page)
    return [...this.#environments[0]]
  }

  #make(name: string, { timeFormat, modifiedMs }: TimesOfPage): void {
    const request = this.#request
    switch (name) {
      case 'DATE_LOCAL':
        return this.set(name, timeText(timeFormat, request.receivedAt))
      case 'DATE_GMT':
        return this.set(name, compileStrftime(timeFormat, 'utc')(request.receivedAt))
      case 'LAST_MODIFIED':
        return this.set(name, timeText(timeFormat, modifiedMs))
      default: {
        const owner = request.fileInfo === null ? null : this.#services.userName(request.fileInfo.uid)
        return this.set(name, owner ?? '<unknown>')
      }
    }
  }

  #addQuery({ args }: Request): void {
    if (args === null) return
    this.set('QUERY_STRING', args)
    this.set('QUERY_STRING_UNESCAPED', escapeShell(decodeUri(args)))
  }
}

/** A time of a page, in the local zone. */
export function timeText(format: string, ms: number): string {
  return compileStrftime(format, 'local')(ms)
}
