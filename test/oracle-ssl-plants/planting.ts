/**
 * Preloaded (`node --import`) into a process that runs sources: changes the source that the variable PLANT describes, as JSON,
 * when it is loaded.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')
const planted: unknown = JSON.parse(process.env.PLANT ?? 'null')

if (!isPlanted(planted)) throw new Error('the variable PLANT describes no change of a source')
const { file, find, replace } = planted
const place = pathToFileURL(join(ROOT, file)).href

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== place) return loaded
    const text = Buffer.from(
      typeof loaded.source === 'string' ? loaded.source : new Uint8Array(bytesOf(loaded.source)),
    ).toString()
    if (text.split(find).length !== 2) throw new Error(`${file} does not say "${find}" once: adapt the planted bug`)
    return { ...loaded, source: text.replace(find, () => replace) }
  },
})

interface Planted {
  readonly file: string
  readonly find: string
  readonly replace: string
}

function isPlanted(value: unknown): value is Planted {
  if (typeof value !== 'object' || value === null) return false
  return ['file', 'find', 'replace'].every((name) => name in value)
}

function bytesOf(source: ArrayBuffer | NodeJS.TypedArray | undefined): ArrayBuffer {
  if (source === undefined) throw new Error(`${file} has no source`)
  if (source instanceof ArrayBuffer) return source
  return Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength)).buffer
}
