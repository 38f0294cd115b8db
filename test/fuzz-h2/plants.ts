import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { EngineModule } from './our-verdict.ts'

const SOURCES = join(import.meta.dirname, '../../packages/http2/src')

/** A bug that is planted into a copy of packages/http2 on purpose: the comparison must find it. */
export interface Plant {
  readonly name: string
  /** The effect of the bug. */
  readonly bug: string
  readonly file: string
  /** Occurs exactly once, and is replaced. */
  readonly find: string
  readonly replace: string
}

export const PLANTS: readonly Plant[] = [
  {
    name: 'padding-of-all',
    bug: 'padding may be as long as the frame',
    file: 'open-block.ts',
    find: 'if (length > end - start - 1)',
    replace: 'if (length > end - start)',
  },
  {
    name: 'even-streams',
    bug: 'clients may open streams with even numbers',
    file: 'frame-handler.ts',
    find: 'if (stream % 2 === 0) throw',
    replace: 'if (stream % 2 === 2) throw',
  },
  {
    name: 'idle-streams',
    bug: 'frames of streams that were never opened are passed over',
    file: 'frame-handler.ts',
    find: 'const isIdle = stream % 2 === 0 ? stream > pushes.last : stream > streams.last',
    replace: 'const isIdle = stream % 2 === 0 && stream > pushes.last',
  },
  {
    name: 'interleaved',
    bug: 'other frames may stand within a header block',
    file: 'frame-handler.ts',
    find: 'type !== FRAME.continuation || stream !== this.#block.stream',
    replace: 'type !== FRAME.continuation && type !== FRAME.ping',
  },
  {
    name: 'zero-window',
    bug: 'a window may grow by nothing',
    file: 'frame-rules.ts',
    find: 'if (count === 0) throw',
    replace: 'if (count < 0) throw',
  },
  {
    name: 'largest-window',
    bug: 'windows may exceed 2^31 - 1',
    file: 'frame-rules.ts',
    find: 'if (window + count > LARGEST)',
    replace: 'if (count > LARGEST)',
  },
  {
    name: 'short-body',
    bug: 'a body may be shorter than its Content-Length',
    file: 'frame-handler.ts',
    find: '(endsStream && arrivedBytes < contentLength)',
    replace: '(endsStream && arrivedBytes < 0)',
  },
  {
    name: 'upper-case',
    bug: 'names of fields may have upper case letters',
    file: 'field-rules.ts',
    find: '|| (code >= 65 && code <= 90)',
    replace: '',
  },
  {
    name: 'late-pseudo-fields',
    bug: 'pseudo fields may follow others',
    file: 'request-head.ts',
    find: "if (this.#isRegular || this.#kind === 'trailers'",
    replace: "if (this.#kind === 'trailers'",
  },
  {
    name: 'connection-fields',
    bug: 'fields about the connection of HTTP/1.1 are taken',
    file: 'request-head.ts',
    find: '|| CONNECTION_FIELDS.has(name)',
    replace: '',
  },
  {
    name: 'open-trailers',
    bug: 'trailers need not end the stream',
    file: 'frame-handler.ts',
    find: 'if (!endsStream || head.isMalformed',
    replace: 'if (head.isMalformed',
  },
]

/** The source with the bug. @throws if it does not contain the text to replace */
function plantedSource({ name, file, find, replace }: Plant): string {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  if (text.split(find).length !== 2) {
    throw new Error(`${file} does not say "${find}" once: adapt the planted bug ${name} in plants.ts`)
  }
  return text.replace(find, () => replace)
}

/** A build of our package with the bug. */
export async function plantedEngine(plant: Plant): Promise<EngineModule> {
  const contents = plantedSource(plant)
  const planting: Plugin = {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => (path === join(SOURCES, plant.file) ? { contents, loader: 'ts' } : undefined))
    },
  }
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-h2-'))
  try {
    const outfile = join(folder, `${plant.name}.mjs`)
    const entryPoints = [join(SOURCES, 'index.ts')]
    await build({
      ...{ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', plugins: [planting] },
      ...{ conditions: ['gatewright-source'], logLevel: 'silent' },
    })
    return await import(outfile)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
