import { type Dir, opendirSync, statSync } from 'node:fs'
import {
  DECLINED,
  type FileInfo,
  HTTP_FORBIDDEN,
  HTTP_NOT_FOUND,
  httpStatus,
  inTurns,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { parseMediaType } from './accept-list.ts'
import { MAP_TYPE, type MapContent, readTypeMap } from './map-file.ts'
import { type Negotiated, type NegotiationContext, negotiate } from './negotiation.ts'
import { SCRIPT_TYPE } from './preferences.ts'
import { Variant } from './variant.ts'

/**
 * Set by mod_mime: the parts of a name that it does not recognize, joined with `/`. Absent if it recognizes
 * none of them.
 */
const UNKNOWN_PARTS = 'ap-mime-exceptions-list'

/** The variants to choose from and the file that names them, or the outcome that ends the request. */
type Candidates = { readonly variants: readonly Variant[]; readonly from: FileInfo | null } | { readonly outcome: Outcome }

/**
 * The type checker for a name that does not exist: with Options MultiViews, it is represented by files
 * `NAME.*`.
 */
export function multiViews(request: Request, context: NegotiationContext): MaybePromise<Outcome> {
  if (request.fileInfo !== null || request.filename === '' || !request.hasOption('MultiViews')) return DECLINED
  const names = inTurns(request.work, candidateNames(request, context.log))
  return whenSettled(names, (found) => chooseAmong(request, found, context))
}

function chooseAmong(request: Request, names: readonly string[] | null, context: NegotiationContext): MaybePromise<Outcome> {
  if (names === null) return HTTP_FORBIDDEN
  if (names.length === 0) {
    request.variantsFrom = folderInfo(request)
    return DECLINED
  }
  const collected = collect(request, names, 0, [], context)
  return whenSettled(collected, (candidates) => decide(request, candidates, context))
}

/**
 * Candidates in order of precedence if nothing else distinguishes them; null if the folder cannot be read. In
 * steps for `inTurns`.
 */
function* candidateNames({ filename }: Request, log: ModuleLog): Generator<undefined, readonly string[] | null> {
  const prefix = `${filename.slice(folderOf(filename).length)}.`
  // A name that ends in a slash has no extensions to choose from.
  if (prefix === '.') return []
  let folder: Dir | undefined
  try {
    folder = opendirSync(bytes(folderOf(filename)), { encoding: 'latin1', bufferSize: NAMES_PER_READ })
    const names: string[] = []
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entry.name.startsWith(prefix) && !entry.isDirectory()) names.push(entry.name)
      yield
    }
    return names.sort()
  } catch (error) {
    log.write(
      null,
      'error',
      'AH00686',
      `cannot read directory for multi: ${folderOf(filename)}`,
      error instanceof Error ? error : undefined,
    )
    return null
  } finally {
    folder?.closeSync()
  }
}

/** Names read from the system at a time. */
const NAMES_PER_READ = 256
/** Cost of a candidate, which is looked up with a sub-request, in microseconds. */
const STEPS_OF_A_CANDIDATE = 32

/**
 * Examines the candidates from index `from` on, and adds variants. A type map replaces all other candidates.
 */
function collect(
  request: Request,
  names: readonly string[],
  from: number,
  variants: Variant[],
  context: NegotiationContext,
): MaybePromise<Candidates> {
  const { work } = request
  for (let index = from; index < names.length; index++) {
    if (work.spend(STEPS_OF_A_CANDIDATE)) return work.pause().then(() => collect(request, names, index, variants, context))
    const sub = request.lookupEntry(names[index], request.args)
    const candidate = whenSettled(sub, (settled) => consider(request, names[index], settled, context))
    if (candidate instanceof Promise) {
      return candidate.then((settled) =>
        settled === null || settled instanceof Variant
          ? collect(request, names, index + 1, added(variants, settled), context)
          : settled,
      )
    }
    if (candidate !== null && !(candidate instanceof Variant)) return candidate
    added(variants, candidate)
  }
  // Names are in order already, and remain so among those of one quality.
  variants.sort((one, other) => other.sourceQuality - one.sourceQuality)
  return { variants, from: folderInfo(request) }
}

function added(variants: Variant[], variant: Variant | null): Variant[] {
  if (variant !== null) variants.push(variant)
  return variants
}

/** The variant of a file, the variants of a type map, or null for a file that is not a candidate. */
function consider(
  request: Request,
  name: string,
  sub: Request,
  context: NegotiationContext,
): MaybePromise<Variant | Candidates | null> {
  if (sub.fileInfo?.kind !== 'file') return null
  // A file with a handler and without a type is treated as a script.
  if (sub.contentType === null && sub.handler !== null) sub.contentType = SCRIPT_TYPE
  const type = sub.contentType
  const unknown = sub.notes.get(UNKNOWN_PARTS)
  if (unknown === undefined || !isNamed(request.filename, unknown) || sub.status !== 200 || type === null) return null
  if (type === MAP_TYPE || sub.handler === 'type-map') {
    const map = readTypeMap(sub, context, request.filename)
    return whenSettled(map, (content) => candidatesOf(content, sub))
  }
  return new Variant({
    fileName: name,
    type: parseMediaType(type),
    languages: sub.contentLanguages,
    encoding: sub.contentEncoding,
    description: '',
    body: null,
    found: sub,
    length: null,
  })
}

function candidatesOf(map: MapContent, { fileInfo }: Request): Candidates {
  if ('outcome' in map) return map
  return map.variants.length === 0 ? { outcome: DECLINED } : { variants: map.variants, from: fileInfo }
}

/**
 * Whether the request contains all unknown parts, in the same order: for `page.old` there is `page.old.html`,
 * but not `page.bak.html`.
 */
function isNamed(filename: string, unknown: string): boolean {
  const asked = filename.slice(filename.lastIndexOf('/') + 1).split('.')
  let at = 0
  for (const part of unknown.split('/')) {
    at = asked.indexOf(part, at) + 1
    if (at === 0) return false
  }
  return true
}

function decide(request: Request, candidates: Candidates, context: NegotiationContext): MaybePromise<Outcome> {
  if ('outcome' in candidates) return candidates.outcome
  const { variants } = candidates
  if (variants.length === 0) {
    const text = `Negotiation: discovered file(s) matching request: ${request.filename} (None could be negotiated).`
    context.log.write(request, 'error', 'AH00687', text)
    return HTTP_NOT_FOUND
  }
  request.variantsFrom = candidates.from
  const wantsScript = request.methodNumber !== M_GET || request.args !== null || request.pathInfo !== ''
  const negotiated = negotiate(request, variants, wantsScript ? 'preferred' : 'ordinary', context)
  return whenSettled(negotiated, (result) => become(request, result))
}

/** Turns the request into one for the chosen file, and keeps its query and path info. */
function become(request: Request, result: Negotiated): MaybePromise<Outcome> {
  if ('outcome' in result) return result.outcome
  if (result.found !== null) return takeOver(request, result.found)
  const sub = request.lookupFile(result.variant.fileName)
  return whenSettled(sub, (settled) => takeOver(request, settled))
}

function takeOver(request: Request, found: Request): Outcome {
  if (found.status !== 200) return httpStatus(found.status)
  const { args, pathInfo } = request
  request.fastRedirect(found)
  request.args ??= args
  if (request.pathInfo === '') request.pathInfo = pathInfo
  return OK
}

function folderInfo({ filename }: Request): FileInfo | null {
  const found = statSync(bytes(folderOf(filename)), { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return null
  const { size, mtimeNs, ino, dev, mode, uid, gid } = found
  return {
    kind: 'directory',
    size: Number(size),
    // Whole microseconds, as in an ETag: nanoseconds would lose precision in a double and could be rounded to
    // the next one.
    mtimeMs: Number(mtimeNs / 1000n) / 1000,
    inode: Number(ino),
    device: Number(dev),
    mode: Number(mode),
    uid: Number(uid),
    gid: Number(gid),
  }
}

function folderOf(filename: string): string {
  return filename.slice(0, filename.lastIndexOf('/') + 1)
}

/** A path as the file system takes it: one byte per character. */
function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
