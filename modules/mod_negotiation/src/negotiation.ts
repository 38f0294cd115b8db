import { statSync } from 'node:fs'
import {
  type HostServices,
  httpStatus,
  inTurns,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { choose } from './choose.ts'
import type { LengthOf } from './compare.ts'
import { type NegotiationConfig, STANDARD_FORCE } from './config.ts'
import { preferencesOf } from './preferences.ts'
import type { Variant } from './variant.ts'
import { escapeSegment, setVariantFields } from './variant-fields.ts'
import { variantList } from './variant-list.ts'

const HTTP_MULTIPLE_CHOICES: Outcome = httpStatus(300)
const HTTP_NOT_ACCEPTABLE: Outcome = httpStatus(406)
const HTTP_VARIANT_ALSO_VARIES: Outcome = httpStatus(506)

export interface NegotiationContext {
  readonly log: ModuleLog
  readonly fileText: HostServices['fileText']
  configOf(request: Request): Readonly<NegotiationConfig>
  /** CacheNegotiatedDocs for the request's server. */
  mayBeCached(request: Request): boolean
}

/**
 * The result: the variant to serve, with its sub-request if one was needed, or the outcome that ends the
 * request.
 */
export type Negotiated = { readonly variant: Variant; readonly found: Request | null } | { readonly outcome: Outcome }

/** Chooses a variant of a resource, and sets the response fields about the choice. */
export function negotiate(
  request: Request,
  variants: readonly Variant[],
  scripts: 'preferred' | 'ordinary',
  context: NegotiationContext,
): MaybePromise<Negotiated> {
  const result = inTurns(request.work, pick(request, variants, scripts, context))
  return whenSettled(result, (picked) => finish(request, picked))
}

function finish(request: Request, picked: Negotiated | Transparent): MaybePromise<Negotiated> {
  return 'setFields' in picked ? withFound(request, picked) : picked
}

/**
 * A variant that caches may choose too: its own sub-request decides first, then fields for all variants are
 * set.
 */
interface Transparent {
  readonly variant: Variant
  readonly setFields: () => Generator<number, void>
}

function* pick(
  request: Request,
  variants: readonly Variant[],
  scripts: 'preferred' | 'ordinary',
  context: NegotiationContext,
): Generator<number | undefined, Negotiated | Transparent> {
  const transparent = isTransparent(request, variants)
  const preferences = preferencesOf(request, transparent ? 'transparent' : 'opaque', scripts)
  const { languagePriority = [], forcePriority = STANDARD_FORCE } = context.configOf(request)
  const lengthOf = lengths(request)
  const choice = yield* choose(variants, preferences, { languages: languagePriority, force: forcePriority }, lengthOf)
  if (choice.kind === 'list') {
    yield* setVariantFields(request, variants, { transparent, alternates: true, result: 'list' }, lengthOf)
    ;(request.main ?? request).notes.set('variant-list', yield* variantList(variants))
    if (transparent && preferences.transparency.understood) return { outcome: HTTP_MULTIPLE_CHOICES }
    context.log.write(request, 'error', 'AH00690', `no acceptable variant: ${request.filename}`)
    return { outcome: HTTP_NOT_ACCEPTABLE }
  }
  const { variant } = choice
  const options = { transparent, alternates: preferences.transparency.understood, result: 'choice' } as const
  const setFields = (): Generator<number, void> => setVariantFields(request, variants, options, lengthOf)
  if (!transparent) {
    yield* setFields()
    return { variant, found: variant.found }
  }
  return { variant, setFields }
}

/** Looks up the chosen file, unless that has already been done. */
function withFound(request: Request, { variant, setFields }: Transparent): MaybePromise<Negotiated> {
  const sub = variant.found ?? request.lookupFile(variant.fileName)
  return whenSettled(sub, (found) => inTurns(request.work, settle(request, variant, found, setFields)))
}

/** Variants may be listed for a client, unless one of them negotiates itself (RFC 2295, section 4.5). */
function* settle(
  request: Request,
  variant: Variant,
  found: Request,
  setFields: Transparent['setFields'],
): Generator<number, Negotiated> {
  const negotiates = found.errHeadersOut.has('TCN')
  if (found.status !== 200 && !negotiates) return { outcome: httpStatus(found.status) }
  if (negotiates || found.handler === 'type-map') return { outcome: HTTP_VARIANT_ALSO_VARIES }
  const fields = request.errHeadersOut
  const vary = found.errHeadersOut.get('Vary')
  if (vary !== undefined) {
    fields.set('Variant-Vary', vary)
    fields.set('Vary', vary)
    found.errHeadersOut.unset('Vary')
  }
  fields.set('Content-Location', escapeSegment(variant.fileName))
  yield* setFields()
  return { variant, found }
}

/** A variant is authoritative for the resource only if it is in the same folder (RFC 2295, section 14.2). */
function isTransparent(request: Request, variants: readonly Variant[]): boolean {
  if (request.methodNumber !== M_GET || request.pathInfo !== '') return false
  return variants.every(({ fileName, body }) => body === null && !fileName.includes('/'))
}

function lengths(request: Request): LengthOf {
  const folder = request.filename.slice(0, request.filename.lastIndexOf('/') + 1)
  return (variant) => (variant.length ??= variant.found?.fileInfo?.size ?? sizeOf(`${folder}${variant.fileName}`))
}

function sizeOf(path: string): number {
  try {
    return statSync(Buffer.from(path, 'latin1')).size
  } catch {
    return -1
  }
}
