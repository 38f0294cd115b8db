import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** A kind of private key (MDPrivateKeys). */
export type KeySpec =
  | { readonly kind: 'default' }
  | { readonly kind: 'rsa'; readonly bits: number }
  /** The curve as written. */
  | { readonly kind: 'ec'; readonly curve: string }

const RSA_LEAST = 2048
const RSA_DEFAULT = 2048
const INT_MAX = 2_147_483_647

/** The keys of domains that name none. */
export const DEFAULT_KEYS: readonly KeySpec[] = [{ kind: 'default' }]

/** MDPrivateKeys: the kinds, or the error text. */
export function readKeySpecs(words: readonly string[]): readonly KeySpec[] | string {
  if (words.length === 0) return 'needs to specify the private key type'
  const specs: KeySpec[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    const lower = word.toLowerCase()
    if (lower === 'default') {
      if (words.length > 1) return "'Default' allows no other parameter"
      specs.push({ kind: 'default' })
      continue
    }
    const inWord = /^rsa(\d.*)$/.exec(lower)?.[1]
    if (inWord === undefined && lower !== 'rsa') {
      if (specs.some((spec) => spec.kind === 'ec' && spec.curve.toLowerCase() === lower)) {
        return `two keys of type '${word}' are not possible.`
      }
      specs.push({ kind: 'ec', curve: word })
      continue
    }
    const next = words[index + 1]
    const isNext = inWord === undefined && next !== undefined && /^\d/.test(next)
    if (isNext) index++
    const digits = /^\d+/.exec(inWord ?? (isNext ? next : String(RSA_DEFAULT)))?.[0] ?? '0'
    // An int of C.
    const bits = Number(BigInt.asIntN(32, BigInt(digits)))
    if (bits < RSA_LEAST) return `must be ${RSA_LEAST} or higher in order to be considered safe.`
    if (bits >= INT_MAX) return 'is too large for an RSA key length.'
    if (specs.some(({ kind }) => kind !== 'ec')) return "two keys of type 'RSA' are not possible."
    specs.push({ kind: 'rsa', bits })
  }
  return specs
}

/** The name of a kind in files and messages. */
export function keyName(spec: KeySpec): string {
  return spec.kind === 'ec' ? spec.curve : spec.kind === 'rsa' ? 'rsa' : 'rsa'
}

/** `privkey.pem` for RSA, and with its name for other kinds. @param base `privkey` or `pubcert` */
export function keyFileName(spec: KeySpec, base: 'privkey' | 'pubcert'): string {
  const name = keyName(spec)
  return name === 'rsa' ? `${base}.pem` : `${base}.${name}.pem`
}

/** The name of a kind in sentences. */
export function keyTitle(spec: KeySpec): string {
  return spec.kind === 'default' ? 'rsa' : spec.kind === 'rsa' ? `rsa-${spec.bits}` : spec.curve
}

/** Why no key of a kind can be made or used; undefined when it can. */
export function keyProblem(spec: KeySpec): string | undefined {
  if (spec.kind === 'ec' && nodeCurve(spec.curve) === undefined) {
    return `MDPrivateKeys ${spec.curve}: certificates of this kind cannot be requested here; use secp256r1, secp384r1, secp521r1 or rsa`
  }
  if (spec.kind === 'rsa' && spec.bits > RSA_MOST) {
    return `MDPrivateKeys RSA ${spec.bits}: keys of more than ${RSA_MOST} bits cannot be made here in reasonable time`
  }
  return undefined
}

const RSA_MOST = 16_384
const generate = promisify(generateKeyPair)

/** Makes a key in another thread. */
export async function generateKey(spec: KeySpec): Promise<KeyObject> {
  if (spec.kind === 'ec') {
    return (await generate('ec', { namedCurve: nodeCurve(spec.curve) ?? 'prime256v1' })).privateKey
  }
  return (await generate('rsa', { modulusLength: spec.kind === 'rsa' ? spec.bits : RSA_DEFAULT })).privateKey
}

/** The name of a curve in Node; undefined for one that certificates cannot have. */
export function nodeCurve(name: string): string | undefined {
  switch (name.toLowerCase()) {
    case 'secp256r1':
    case 'prime256v1':
    case 'p-256':
      return 'prime256v1'
    case 'secp384r1':
    case 'p-384':
      return 'secp384r1'
    case 'secp521r1':
    case 'p-521':
      return 'secp521r1'
  }
  return undefined
}

/** As md.json has it. */
export function keySpecsJson(specs: readonly KeySpec[]): unknown {
  const all = specs.map((spec) =>
    spec.kind === 'default'
      ? { type: 'Default' }
      : spec.kind === 'rsa'
        ? { type: 'RSA', bits: spec.bits }
        : { type: 'EC', curve: spec.curve },
  )
  return all.length === 1 ? all[0] : all
}
