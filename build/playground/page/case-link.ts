import type { Case, GivenFile, GivenRequest } from '../engine/question-case.ts'

/** A case as the fragment of an address: compressed, without characters that an address would escape. */
export async function caseFragment(given: Case): Promise<string> {
  const bytes = await passed(new TextEncoder().encode(JSON.stringify(given)), new CompressionStream('deflate-raw'))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The case of a fragment; null if it is none. */
export async function fragmentCase(fragment: string): Promise<Case | null> {
  try {
    const text = atob(fragment.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const plain = await passed(bytes, new DecompressionStream('deflate-raw'), LARGEST_CASE)
    return readCase(JSON.parse(new TextDecoder().decode(plain)))
  } catch {
    return null
  }
}

/** Bytes of the largest case that a link may have; a short link can stand for gigabytes. */
const LARGEST_CASE = 8 * 1024 * 1024

/**
 * What a stream makes of bytes.
 * @throws RangeError if these are more than `most`
 */
export async function passed(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  most: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  let length = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength
      if (length > most) controller.error(new RangeError(`more than ${most} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const stream = new Blob([bytes]).stream().pipeThrough(through).pipeThrough(limit)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Anybody can write a link: only what a case consists of is taken from it. */
function readCase(data: unknown): Case | null {
  if (!isRecord(data) || !Array.isArray(data.files) || !isRecord(data.request)) return null
  const { method, url, fields, client, user, password } = data.request
  const texts = { method, url, fields, client, user }
  const request: GivenRequest = { ...EMPTY, ...stringsOf(texts), password: typeof password === 'string' ? password : null }
  const files: GivenFile[] = data.files.flatMap((file: unknown) =>
    isRecord(file) && typeof file.path === 'string' && typeof file.text === 'string'
      ? [{ path: file.path, text: file.text }]
      : [],
  )
  return typeof data.start === 'string' && files.length > 0 ? { start: data.start, files, request } : null
}

const EMPTY: GivenRequest = { method: 'GET', url: '/', fields: '', client: '127.0.0.1', user: '', password: null }

function stringsOf(values: Readonly<Record<string, unknown>>): Partial<GivenRequest> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
