import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A bug that is planted into a source on purpose: the comparison must find it. */
export interface Plant {
  readonly bug: string
  readonly file: string
  /** Occurs exactly once, and is replaced. */
  readonly find: string
  readonly replace: string
}

const HANDLER = 'packages/http2/src/frame-handler.ts'
const OUTPUT = 'packages/http2/src/output.ts'

export const PLANTS: readonly Plant[] = [
  {
    bug: 'padding belongs to the body',
    file: HANDLER,
    find: 'exchange.incoming.push(bytes, from, to)',
    replace: 'exchange.incoming.push(bytes, from, end)',
  },
  {
    bug: 'trailers are forgotten',
    file: HANDLER,
    find: 'exchange.trailers = head.fields()',
    replace: 'head.fields()',
  },
  {
    bug: 'trailers do not end a body',
    file: HANDLER,
    find: '    exchange.requestComplete = true\n    exchange.incoming.end()\n  }',
    replace: '    exchange.requestComplete = true\n  }',
  },
  {
    bug: 'a stream that is reset takes the next one with it',
    file: HANDLER,
    find: '    exchange.abort()\n    this.#connection.streamGone()',
    replace: '    exchange.abort()\n    streams.get(stream + 2)?.abort()\n    this.#connection.streamGone()',
  },
  {
    bug: 'header blocks of streams that the client gave up are not decoded',
    file: HANDLER,
    find: 'if (!this.#decoder.decode(bytes, start, end, head)) {',
    replace: 'if ((isNew || known !== undefined) && !this.#decoder.decode(bytes, start, end, head)) {',
  },
  {
    bug: 'a new window of streams applies to later ones only',
    file: HANDLER,
    find: 'this.#connection.windowsGrow(peer.initialWindowSize - before)',
    replace: 'void before',
  },
  {
    bug: 'a stream whose window opens waits on',
    file: HANDLER,
    find: 'if (exchange.outgoing.length > 0 && exchange.sendWindow > 0) connection.output.wantsToSend(exchange)',
    replace: '',
  },
  {
    bug: 'the last of four fragments of a header block is lost',
    file: 'packages/http2/src/open-block.ts',
    find: '    this.#parts.push(Buffer.from(fragment))',
    replace: '    if (this.#parts.length > 2) return\n    this.#parts.push(Buffer.from(fragment))',
  },
  {
    bug: 'a frame is taken for complete without its last byte',
    file: 'packages/http2/src/frame-reader.ts',
    find: 'if (input.length < FRAME_HEAD + length) return true',
    replace: 'if (input.length < FRAME_HEAD + length - 1) return true',
  },
  {
    bug: 'small responses share the stream of the first',
    file: OUTPUT,
    find: 'image.writeFor(exchange.id, this.frames)',
    replace: 'image.writeFor(1, this.frames)',
  },
  {
    bug: 'responses do not count for the window of the connection',
    file: OUTPUT,
    find: '    this.window -= length\n    exchange.bytesSent += FRAME_HEAD + length\n    exchange.progressAt',
    replace: '    exchange.bytesSent += FRAME_HEAD + length\n    exchange.progressAt',
  },
  {
    bug: 'a stream of another priority is forgotten',
    file: OUTPUT,
    find: '    if (wasQueued) this.#queue.add(exchange)',
    replace: '    void wasQueued',
  },
  {
    bug: 'bodies that arrive in small pieces lose one',
    file: 'packages/http2/src/waiting-chunks.ts',
    find: 'this.#chunks[this.#chunks.length - 1] = block.subarray(0, used + length)',
    replace: 'if (length !== 7) this.#chunks[this.#chunks.length - 1] = block.subarray(0, used + length)',
  },
  {
    bug: 'a part of a cookie replaces those before it',
    file: 'packages/http2/src/request-head.ts',
    find: 'this.#list[this.#cookieAt + 1] += `; ${value}`',
    replace: 'this.#list[this.#cookieAt + 1] = value',
  },
  {
    bug: 'the table of the encoder does not shrink as told',
    file: 'packages/http2/src/hpack/encoder.ts',
    find: '    this.#table.resize(this.#least)\n',
    replace: '',
  },
]

const PROGRAM = join(import.meta.dirname, 'interleave-http2.ts')
const PLANTING = join(import.meta.dirname, '../oracle-ssl-plants/planting.ts')

/** Looks for each bug in a process of its own. @returns the exit code */
export async function findPlants(seed: number, conversations: number): Promise<number> {
  let missed = 0
  for (const plant of PLANTS) {
    const { isFound, output } = await searchFor(plant, seed, conversations)
    if (!isFound) missed++
    const [first = ''] = output.split('\n')
    console.log(
      `${isFound ? 'found    ' : 'NOT FOUND'} ${plant.bug}${isFound ? ` (${first.replace(/ \(.*?\)/, '').slice(0, 110)})` : ''}`,
    )
  }
  console.log(`${PLANTS.length - missed} passed, ${missed} failed`)
  return missed === 0 ? 0 : 1
}

export async function searchFor(
  plant: Plant,
  seed: number,
  conversations: number,
): Promise<{ readonly isFound: boolean; readonly output: string }> {
  const args = ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', '--import', PLANTING, PROGRAM]
  const options = ['--seed', String(seed), '--conversations', String(conversations), '--findings', '1']
  const env = { ...process.env, PLANT: JSON.stringify(plant) }
  const child = spawn(process.execPath, [...args, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  // Other codes are errors of this program, such as a plant that no longer fits its source.
  if (code !== 0 && code !== 1) throw new Error(`the run with the bug "${plant.bug}" ended with ${code}:\n${output}`)
  return { isFound: code === 1, output }
}
