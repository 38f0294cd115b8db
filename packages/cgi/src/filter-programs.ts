import type { ModuleHost, Request } from '@gatewright/api'
import { PlainExchange, ResponseStream, type UpstreamConnection } from '@gatewright/upstream'
import { environmentOf } from './environment.ts'
import { CGID } from './flavour.ts'
import { type CgiParts, startProgram } from './handler.ts'
import { RunningPrograms } from './running-programs.ts'
import { Spawner } from './spawner.ts'
import { writeInput } from './write-input.ts'

/** A program through which a body passes. */
export interface FilterProgram {
  /** An absolute path. */
  readonly file: string
  readonly name: string
  readonly args: readonly string[]
  readonly env: Iterable<readonly [name: string, value: string]>
  /** Whether its errors are logged; they are discarded otherwise. */
  readonly logsErrors: boolean
}

/** Why a program does not run: the number of the system's error, or `busy`, which was logged. */
export type NotRunning = { readonly errno: number } | 'busy'

/** Passes bodies through programs, which end with the request. */
export class FilterPrograms {
  readonly #parts: CgiParts
  #spawner: Spawner | null = null

  constructor(host: ModuleHost<unknown, unknown>) {
    const { services, log } = host
    this.#parts = {
      flavour: CGID,
      services,
      log,
      running: new RunningPrograms(() => undefined),
      configOf: () => ({}),
      serverConfigOf: () => ({}),
      spawner: () => this.#spawner,
    }
    host.onEnd(() => {
      this.#spawner?.close()
      this.#spawner = null
    })
  }

  /** For childInit: starts the helper process while this process is still small. */
  begin(): void {
    this.#spawner = new Spawner()
    this.#spawner.prepare()
  }

  /** The output of a program that gets the body; in tools, which run no programs, the body itself. */
  async pass(
    request: Request,
    program: FilterProgram,
    body: AsyncIterable<Uint8Array>,
  ): Promise<AsyncIterable<Uint8Array> | NotRunning> {
    if (this.#spawner === null) return body
    const started = await startProgram(request, this.#parts, this.#spawner, {
      file: program.file,
      name: program.name,
      args: program.args,
      env: environmentOf(program.env),
      hasInput: true,
      errors: program.logsErrors ? 'server' : 'apart',
      folder: '/',
    })
    if (started === null) return 'busy'
    let isOver = false
    const stop = (how: 'left' | 'broken'): void => {
      if (!isOver) started.end(how)
      isOver = true
    }
    request.onDone(() => stop('broken'))
    request.onDone(request.whenGone(() => stop('broken')))
    const { timeout } = request.server
    const exchange = new PlainExchange(started.connection, timeout, {
      onData: (bytes) => output.push(bytes),
      onEnd: () => {
        output.end()
        stop('left')
      },
      // A program that ends without reading its input resets the connection, after its output.
      onError: (error) => {
        if (error.code === 'truncated') output.end()
        else output.fail(error)
        stop('broken')
      },
    })
    const output = new ResponseStream(exchange, -1)
    if (started.errors !== null) discard(started.errors)
    const errno = await started.running
    if (errno !== null) {
      exchange.abort()
      return { errno }
    }
    const { input } = started
    if (input !== null) {
      writeInput(input, body, timeout).then(
        () => exchange.endRequest(),
        (error: unknown) => {
          // What the program would make of a part of the body must not pass for the whole.
          exchange.abort()
          output.fail(error instanceof Error ? error : new Error(String(error)))
          stop('broken')
        },
      )
    }
    return output
  }
}

function discard(connection: UpstreamConnection): void {
  const ignored = (): void => undefined
  new PlainExchange(connection, 0, { onData: ignored, onEnd: ignored, onError: ignored })
}
