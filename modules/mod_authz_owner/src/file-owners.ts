import { statSync } from 'node:fs'
import type { AuthzStatus, ModuleHost, OsError, Request } from '@gatewright/api'
import { systemError } from '@gatewright/api/text'

/** Codes of the messages, in the order of the steps that may fail. */
interface Codes {
  readonly noFilename: string
  readonly noFile: string
  readonly noName: string
}
const OWNER: Codes = { noFilename: 'AH01633', noFile: 'AH01634', noName: 'AH01636' }
const GROUP: Codes = { noFilename: 'AH01638', noFile: 'AH01639', noName: 'AH01641' }

/** The error of getpwuid(3) and getgrgid(3) for an unknown number. */
const NO_ENTRY = systemError(2)

interface Ids {
  readonly uid: number
  readonly gid: number
}

/** Why a name is unknown, which has been logged. */
interface Refusal {
  readonly reason: string
}

/** User and group of the file that a request maps to. A symbolic link is followed. */
export class FileOwners {
  readonly #host: ModuleHost<undefined, undefined>

  constructor(host: ModuleHost<undefined, undefined>) {
    this.#host = host
  }

  /** `Require file-owner`: the request's user has the name of the system user who owns the file. */
  check(request: Request): AuthzStatus {
    if (request.user === null) return 'denied-no-user'
    const ids = this.#idsOf(request, OWNER)
    if ('reason' in ids) return 'denied'
    const owner = this.#host.services.userName(ids.uid)
    if (owner === null) this.#refuse(request, OWNER.noName, 'could not get name of file owner', NO_ENTRY)
    else if (owner === request.user) return 'granted'
    else this.#refuse(request, 'AH01637', `file owner ${owner} does not match.`)
    return 'denied'
  }

  /** Name of the system group that owns the file. */
  groupOf(request: Request): { readonly group: string } | Refusal {
    const ids = this.#idsOf(request, GROUP)
    if ('reason' in ids) return ids
    const group = this.#host.services.groupName(ids.gid)
    return group === null ? this.#refuse(request, GROUP.noName, 'could not get name of file group', NO_ENTRY) : { group }
  }

  #idsOf(request: Request, codes: Codes): Ids | Refusal {
    const { filename, fileInfo } = request
    if (filename === '') return this.#refuse(request, codes.noFilename, 'no filename available')
    if (fileInfo !== null) return fileInfo
    // There was no file when the request was mapped; this finds the reason.
    try {
      return statSync(Buffer.from(filename, 'latin1'))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return this.#refuse(request, codes.noFile, `could not stat file ${filename}`, error)
    }
  }

  #refuse(request: Request, code: string, reason: string, cause?: OsError | Error): Refusal {
    const text = `Authorization of user ${request.user} to access ${request.uri} failed, reason: ${reason}`
    this.#host.log.write(request, 'error', code, text, cause)
    return { reason }
  }
}
