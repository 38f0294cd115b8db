import type { Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import type { LengthOf } from './compare.ts'
import type { Variant } from './variant.ts'

/** What the fields of a response contain about its variants. */
export interface VariantFieldOptions {
  /**
   * Whether caches may choose a variant: all are in the same folder as the resource, and the method is GET.
   */
  readonly transparent: boolean
  /** Whether Alternates describes each variant. */
  readonly alternates: boolean
  readonly result: 'choice' | 'list'
}

/** Cost of a variant, whose file size may be read. */
const STEPS_OF_A_VARIANT = 4

/** Sets Alternates, Vary and TCN (RFC 2295, section 8), in steps for `inTurns`; they survive errors. */
export function* setVariantFields(
  request: Request,
  variants: readonly Variant[],
  options: VariantFieldOptions,
  lengthOf: LengthOf,
): Generator<number, void> {
  const fields = request.errHeadersOut
  if (options.alternates && variants.length > 0) {
    const described: string[] = []
    for (const variant of variants) {
      yield STEPS_OF_A_VARIANT
      described.push(describe(variant, lengthOf))
    }
    fields.merge('Alternates', described.join(', '))
  }
  const dimensions = [
    ...(options.transparent ? ['negotiate'] : []),
    ...(differ(variants, ({ mimeType }) => mimeType) ? ['accept'] : []),
    ...(differ(variants, ({ languages }) => languages.join(',')) ? ['accept-language'] : []),
    ...(differ(variants, ({ charset }) => charset) ? ['accept-charset'] : []),
    ...(differ(variants, ({ encoding }) => encoding ?? '') ? ['accept-encoding'] : []),
  ]
  if (dimensions.length > 0) fields.merge('Vary', dimensions.join(', '))
  if (options.transparent) fields.set('TCN', options.result)
}

/** Escapes a file name as one segment of a path, including its slashes. */
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
    // The output of a script does not have the length of the script.
    ['length', found?.handler ? '' : lengthText(lengthOf(variant))],
  ]
  const shown = attributes.filter(([, value]) => value !== '').map(([name, value]) => ` {${name} ${value}}`)
  return `{"${escapeSegment(variant.fileName)}" ${qualityText(variant.sourceQuality)}${shown.join('')}}`
}

function lengthText(length: number): string {
  return length < 0 ? '' : String(length)
}

function qualityText(quality: number): string {
  return String(Number(quality.toFixed(3)))
}
