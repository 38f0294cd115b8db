import type { Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import type { LengthOf } from './compare.ts'
import type { Variant } from './variant.ts'

/** What a response says of its variants. */
export interface VariantsTold {
  /** The variants lie beside the resource and the method is GET: caches may choose among them. */
  readonly transparent: boolean
  /** Each variant is described in Alternates. */
  readonly alternates: boolean
  readonly result: 'choice' | 'list'
}

/** The system may be asked for a length. */
const STEPS_OF_A_VARIANT = 4

/** Sets Alternates, Vary and TCN (RFC 2295, section 8), in steps for `inTurns`; they survive errors. */
export function* tellVariants(
  request: Request,
  variants: readonly Variant[],
  told: VariantsTold,
  lengthOf: LengthOf,
): Generator<number, void> {
  const fields = request.errHeadersOut
  if (told.alternates && variants.length > 0) {
    const described: string[] = []
    for (const variant of variants) {
      yield STEPS_OF_A_VARIANT
      described.push(describe(variant, lengthOf))
    }
    fields.merge('Alternates', described.join(', '))
  }
  const dimensions = [
    ...(told.transparent ? ['negotiate'] : []),
    ...(differ(variants, ({ mimeType }) => mimeType) ? ['accept'] : []),
    ...(differ(variants, ({ languages }) => languages.join(',')) ? ['accept-language'] : []),
    ...(differ(variants, ({ charset }) => charset) ? ['accept-charset'] : []),
    ...(differ(variants, ({ encoding }) => encoding ?? '') ? ['accept-encoding'] : []),
  ]
  if (dimensions.length > 0) fields.merge('Vary', dimensions.join(', '))
  if (told.transparent) fields.set('TCN', told.result)
}

/** A file name as one segment of a path: also its slashes are escaped. */
export function escapeSegment(fileName: string): string {
  return escapeUriPath(fileName).replaceAll(';', '%3b').replaceAll('/', '%2f')
}

function differ(variants: readonly Variant[], property: (variant: Variant) => string): boolean {
  return variants.some((variant) => property(variant) !== property(variants[0]))
}

function describe(variant: Variant, lengthOf: LengthOf): string {
  const { mimeType, charset, languages, encoding, found } = variant
  const attributes = [
    ['type', mimeType],
    ['charset', charset],
    ['language', languages.join(',')],
    ['encoding', encoding ?? ''],
    // What a script is going to say has another length than the script.
    ['length', found?.handler ? '' : lengthText(lengthOf(variant))],
  ]
  const told = attributes.filter(([, value]) => value !== '').map(([name, value]) => ` {${name} ${value}}`)
  return `{"${escapeSegment(variant.fileName)}" ${qualityText(variant.sourceQuality)}${told.join('')}}`
}

function lengthText(length: number): string {
  return length < 0 ? '' : String(length)
}

function qualityText(quality: number): string {
  return String(Number(quality.toFixed(3)))
}
