import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { EngineModule } from './engine-reader.ts'

const SOURCES = join(import.meta.dirname, '../../packages/http/src')

/** A bug that is planted into a copy of our parser on purpose: the comparison must find it. */
export interface Plant {
  readonly name: string
  /** The effect of the bug. */
  readonly bug: string
  readonly file: string
  /** Occurs exactly once, and is replaced. */
  readonly find: string
  readonly replace: string
  /** With HttpProtocolOptions Unsafe this is not a bug. */
  readonly onlyIn?: 'Strict'
}

export const PLANTS: readonly Plant[] = [
  {
    name: 'blank-before-colon',
    bug: 'white space between a field name and its colon is taken',
    file: 'http1/field-section.ts',
    find: 'if (i > line && i < end && bytes[i] === COLON) {',
    replace: 'while (i > line && i < end && bytes[i] === SPACE) i++\nif (i > line && i < end && bytes[i] === COLON) {',
  },
  {
    name: 'chunk-size-sign',
    bug: 'a plus sign before a chunk size is skipped',
    file: 'http1/chunked-decoder.ts',
    find: 'this.#size = 0\n        return this.#addDigit(byte)',
    replace: 'this.#size = 0\n        return byte === 43 ? SIZE_START : this.#addDigit(byte)',
  },
  {
    name: 'chunk-size-0x',
    bug: 'the x of 0x10 is skipped in a chunk size',
    file: 'http1/chunked-decoder.ts',
    find: 'if (byte === CR) return SIZE_LF\n',
    replace: 'if (byte === CR) return SIZE_LF\n    if (byte === 120 && this.#size === 0) return SIZE\n',
  },
  {
    name: 'chunk-size-overflow',
    bug: 'a chunk size is taken modulo 2^32',
    file: 'http1/chunked-decoder.ts',
    find: 'this.#size = this.#size * 16 + digit',
    replace: 'this.#size = (this.#size * 16 + digit) % 2 ** 32',
  },
  {
    name: 'length-list',
    bug: 'of several lengths the last one counts',
    file: 'http1/framing.ts',
    find: "const length = fields.get('content-length')",
    replace: "const length = fields.get('content-length')?.split(',').at(-1)?.trim()",
  },
  {
    name: 'bare-lf-in-extension',
    bug: 'a line feed alone ends a chunk extension',
    file: 'http1/chunked-decoder.ts',
    find: 'if (byte === CR || byte === LF) return this.#afterSize(byte, strict)',
    replace: 'if (byte === CR || byte === LF) return this.#afterSize(byte, strict && byte === CR)',
    onlyIn: 'Strict',
  },
  {
    name: 'identity-is-none',
    bug: 'chunked counts wherever it stands in Transfer-Encoding, and identity for none',
    file: 'http1/framing.ts',
    find: 'if (!endsInChunked(coding)) {',
    replace: "if (coding.toLowerCase() === 'identity') return null\n  if (!coding.toLowerCase().includes('chunked')) {",
  },
  {
    name: 'fold-lost',
    bug: 'what stands on a continuation line is lost',
    file: 'http1/field-section.ts',
    find: 'this.#openFolded = joined',
    replace: 'this.#openFolded = before',
  },
  {
    name: 'stale-search',
    bug: 'a line end that is split between two arrivals is missed',
    file: 'http1/head-reader.ts',
    find: 'this.#searched = input.length\n',
    replace: 'this.#searched = input.length + 1\n',
  },
  {
    name: 'trailing-blank',
    bug: 'a tab behind a field value is kept',
    file: 'http1/field-section.ts',
    find: '(bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end--',
    replace: 'bytes[end - 1] === SPACE) end--',
  },
]

/** The source with the bug. @throws if it does not contain the text to replace */
export function plantedSource({ name, file, find, replace }: Plant): string {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  if (text.split(find).length !== 2)
    throw new Error(`${file} does not say "${find}" once: adapt the planted bug ${name} in plants.ts`)
  return text.replace(find, () => replace)
}

/** A build of our engine with the bug. */
export async function plantedEngine(plant: Plant): Promise<EngineModule> {
  const contents = plantedSource(plant)
  const planting: Plugin = {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => (path === join(SOURCES, plant.file) ? { contents, loader: 'ts' } : undefined))
    },
  }
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-http-'))
  try {
    const outfile = join(folder, `${plant.name}.mjs`)
    const entryPoints = [join(SOURCES, 'index.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', plugins: [planting], logLevel: 'silent' })
    return await import(outfile)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
