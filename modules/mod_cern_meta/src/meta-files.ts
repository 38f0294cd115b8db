import {
  DECLINED,
  type HostServices,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { CernMetaConfig } from './config.ts'
import { applyMetaFields, type MetaFault, parseMetaFile } from './meta-fields.ts'

/** The largest file that is read, in bytes: .htaccess files choose which. */
const META_LIMIT = 1024 * 1024

/** Finds and reads the file with the fields of a requested file. */
export class MetaFiles {
  readonly #configOf: (request: Request) => Readonly<CernMetaConfig>
  readonly #services: HostServices
  readonly #log: ModuleLog

  constructor(configOf: (request: Request) => Readonly<CernMetaConfig>, services: HostServices, log: ModuleLog) {
    this.#configOf = configOf
    this.#services = services
    this.#log = log
  }

  apply(request: Request): MaybePromise<Outcome> {
    const { enabled, folder = '.web', suffix = '.meta' } = this.#configOf(request)
    const { fileInfo, filename, uri } = request
    if (enabled !== true || fileInfo === null || fileInfo.kind === 'directory' || uri.endsWith('/')) return DECLINED
    const slash = filename.lastIndexOf('/')
    if (slash < 0) {
      this.#log.write(request, 'error', 'AH01561', `internal error in mod_cern_meta: ${filename}`)
      return DECLINED
    }
    return this.#applyFile(request, `${filename.slice(0, slash)}/${folder}/${filename.slice(slash + 1)}${suffix}`)
  }

  async #applyFile(request: Request, path: string): Promise<Outcome> {
    // The client must be allowed to fetch the file, as in httpd.
    const file = await request.lookupFile(path)
    if (file.status !== 200 || file.fileInfo?.kind !== 'file') return DECLINED
    let text: string
    try {
      text = await this.#services.fileText(path, META_LIMIT)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if ('code' in error && error.code === 'ENOENT') return DECLINED
      if (error.name === 'FileTooLarge') {
        this.#log.about(request).error(`${path} is larger than ${META_LIMIT} bytes, the limit of a meta file`)
        return HTTP_INTERNAL_SERVER_ERROR
      }
      this.#log.write(request, 'error', 'AH01562', `meta file permissions deny server access: ${path}`, error)
      return HTTP_FORBIDDEN
    }
    const fields = parseMetaFile(text)
    if (!('fault' in fields)) {
      applyMetaFields(request, fields)
      return OK
    }
    this.#report(request, fields)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  #report(request: Request, { fault, name }: MetaFault): void {
    const { filename } = request
    if (fault === 'malformed') this.#log.write(request, 'error', 'AH01560', `malformed header in meta file: ${filename}`)
    else this.#log.write(request, 'error', 'AH10596', `forbidden HTTP framing header '${name}' in meta file: ${filename}`)
  }
}
