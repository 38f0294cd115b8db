import type { Dir } from 'node:fs'
import { opendir } from 'node:fs/promises'
import {
  DECLINED,
  type HostServices,
  HTTP_FORBIDDEN,
  inTurns,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { chooseListing } from './client-query.ts'
import type { AutoindexConfig } from './config.ts'
import { TRACK_MODIFIED } from './index-options.ts'
import { type Insert, readInsert } from './insert.ts'
import { sortEntries } from './order.ts'
import { markup, pageBottom, pageTop, pieces, wholePage } from './page.ts'
import { readEntries } from './read-entries.ts'
import { renderListing } from './render-listing.ts'

/** Entries read from the system at a time. */
const ENTRIES_PER_READ = 512

const FOLDER_HANDLER = 'httpd/unix-directory'

/** The handler of folders without an index file. */
export function createHandler(
  configOf: (request: Request) => Readonly<AutoindexConfig>,
  services: HostServices,
  log: ModuleLog,
): (request: Request) => MaybePromise<Outcome> {
  return (request) => {
    if (request.fileInfo?.kind !== 'directory' || request.handler !== FOLDER_HANDLER) return DECLINED
    if (request.methodNumber !== M_GET) return DECLINED
    return request.hasOption('Indexes') ? listFolder(request, configOf(request), services, log) : refuse(request, log)
  }
}

function refuse(request: Request, log: ModuleLog): Outcome {
  const names = request.notes.get('dir-index-names') ?? 'none'
  const text = `Cannot serve directory ${request.filename}: No matching DirectoryIndex (${names}) found, and server-generated directory index forbidden by Options directive`
  log.write(request, 'error', 'AH01276', text)
  return HTTP_FORBIDDEN
}

async function listFolder(
  request: Request,
  config: Readonly<AutoindexConfig>,
  services: HostServices,
  log: ModuleLog,
): Promise<Outcome> {
  const discarded = await request.discardBody()
  if (discarded !== OK) return discarded
  // With `DirectorySlash Off`, a URL without a slash is listed too; the entries are below the slash.
  if (!request.filename.endsWith('/')) request.filename += '/'
  const folder = await openFolder(request, log)
  if (folder === null) return HTTP_FORBIDDEN
  request.contentType = contentType(config)
  if ((config.options.set & TRACK_MODIFIED) !== 0) request.setValidators()
  if (request.headerOnly) {
    await folder.close()
    return request.respond('')
  }
  const choice = chooseListing(config, request.args)
  const header = await headerOf(request, config, services, log)
  const { work } = request
  const found = await readEntries(request, folder, config, choice, services)
  const entries = await inTurns(work, sortEntries(found, choice, choice.options))
  const readme = config.readme === undefined ? null : await readInsert(request, config.readme, services, log)
  const page = [
    ...pageTop(request.uri, config, choice.options, header),
    markup(await inTurns(work, renderListing({ entries, config, choice }))),
    ...pageBottom(choice.options, readme, services.serverSignature(request, '')),
  ]
  if (isLong(page)) return request.respond(pieces(page, work))
  // httpd forwards an included file in parts and therefore sends no Content-Length.
  const text = wholePage(page)
  return request.respond(header?.kind === 'markup' || readme?.kind === 'markup' ? inOnePart(text) : text)
}

async function openFolder(request: Request, log: ModuleLog): Promise<Dir | null> {
  try {
    // Names are bytes, one per character, like all paths.
    return await opendir(Buffer.from(request.filename, 'latin1'), { encoding: 'latin1', bufferSize: ENTRIES_PER_READ })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    log.write(request, 'error', 'AH01275', `Can't open directory for index: ${request.filename}`, error)
    return null
  }
}

function contentType({ contentType = 'text/html', charset = 'ISO-8859-1' }: Readonly<AutoindexConfig>): string {
  return charset === '' ? contentType : `${contentType};charset=${charset}`
}

/** The file of HeaderName, which is requested with the query of the listing. */
async function headerOf(
  request: Request,
  { header }: Readonly<AutoindexConfig>,
  services: HostServices,
  log: ModuleLog,
): Promise<Insert | null> {
  if (header === undefined) return null
  return readInsert(request, request.args === null ? header : `${header}?${request.args}`, services, log)
}

/** Whether a page takes so long to write that it is sent in pieces, without a Content-Length. */
function isLong(page: readonly Insert[]): boolean {
  return page.reduce((length, { content }) => length + content.length, 0) > LONGEST_IN_ONE_PART
}

const LONGEST_IN_ONE_PART = 1024 * 1024

async function* inOnePart(page: string): AsyncGenerator<string> {
  yield page
}
