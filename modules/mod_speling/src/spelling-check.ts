import { readdir } from 'node:fs/promises'
import {
  DECLINED,
  HTTP_MOVED_PERMANENTLY,
  httpStatus,
  inTurns,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { candidateList } from './candidate-list.ts'
import { type Candidate, candidatesIn } from './candidates.ts'
import type { SpelingConfig } from './config.ts'

const MULTIPLE_CHOICES = httpStatus(300)

/** Compares a name that leads to no file with the names in its folder. */
export class SpellingCheck {
  readonly #configOf: (request: Request) => Readonly<SpelingConfig>
  readonly #log: ModuleLog

  constructor(configOf: (request: Request) => Readonly<SpelingConfig>, log: ModuleLog) {
    this.#configOf = configOf
    this.#log = log
  }

  /** Redirects to the file that was meant, or offers a choice (300); declines if no file is similar. */
  fix(request: Request): MaybePromise<Outcome> {
    const config = this.#configOf(request)
    if (!config.enabled || request.methodNumber !== M_GET || request.fileInfo !== null) return DECLINED
    if (request.proxyRequest !== null || request.main !== null || request.uri === '/') return DECLINED
    const slash = request.filename.lastIndexOf('/')
    if (slash < 0) return DECLINED
    const requested = request.filename.slice(slash + 1)
    const end = requested + request.pathInfo
    // Where the file is not named as the URL is, nothing can be said about the URL.
    if (!request.uri.endsWith(end)) return DECLINED
    const folder = request.filename.slice(0, slash)
    return this.#compare(request, config, { folder, requested, url: request.uri.slice(0, request.uri.length - end.length) })
  }

  async #compare(request: Request, config: Readonly<SpelingConfig>, place: Place): Promise<Outcome> {
    let names: Buffer[]
    try {
      names = await readdir(Buffer.from(`${place.folder}/`, 'latin1'), { encoding: 'buffer' })
    } catch {
      return DECLINED
    }
    const latin1 = names.map((name) => name.toString('latin1'))
    const candidates = await inTurns(request.work, candidatesIn(latin1, place.requested, config))
    // The name exists, such as a symbolic link that leads nowhere: a redirect would lead here again.
    if (candidates === null) return OK
    const [first, second] = candidates
    if (first === undefined) return DECLINED
    const isClear = first.how !== 'common basename' && first.how !== second?.how
    return isClear ? this.#redirect(request, place, first) : this.#offer(request, place, candidates)
  }

  #redirect(request: Request, place: Place, { name }: Candidate): Outcome {
    const path = `${escapeUriPath(place.url + name + request.pathInfo)}${query(request)}`
    request.headersOut.set('Location', request.absoluteUrl(path))
    const what = `Fixed spelling: ${request.uri} to ${path}`
    this.#report(request, what, { plain: 'AH03225', referred: 'AH03224' })
    return HTTP_MOVED_PERMANENTLY
  }

  #offer(request: Request, place: Place, candidates: readonly Candidate[]): Outcome {
    request.notes.set('variant-list', candidateList(request, place.url, candidates))
    const what = `Spelling fix: ${request.uri}: ${candidates.length} candidates`
    this.#report(request, what, { plain: 'AH03227', referred: 'AH03226' })
    return MULTIPLE_CHOICES
  }

  #report(request: Request, what: string, codes: { readonly plain: string; readonly referred: string }): void {
    const referer = request.headersIn.get('Referer')
    if (referer === undefined) this.#log.write(request, 'info', codes.plain, what)
    else this.#log.write(request, 'info', codes.referred, `${what} from ${referer}`)
  }
}

interface Place {
  readonly folder: string
  /** The name that was requested in the folder. */
  readonly requested: string
  /** The part of the URL path before the name. */
  readonly url: string
}

function query({ args }: Request): string {
  return args === null ? '' : `?${args}`
}
