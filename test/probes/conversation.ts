import { type Answer, readAnswer } from './answer.ts'
import { request } from './message.ts'
import type { Probe, Step } from './probe.ts'
import { Wire } from './wire.ts'

/** The result of a probe. */
export interface Conversation {
  readonly answers: readonly Answer[]
  /** The number of 100 (Continue) responses before the first final answer. */
  readonly continues: number
  readonly fate: Fate
}

/**
 * `closed`: the server closed the connection. `open`: the next request was answered correctly. `astray`: an
 * answer to neither arrived. `silent`: nothing arrived before the timeout.
 */
export type Fate = 'closed' | 'open' | 'astray' | 'silent'

/** The next request on a connection, and the content of its answer. */
export const NEXT: { readonly path: string; readonly content: string } = { path: '/next.txt', content: 'the next answer\n' }

export interface ConversationOptions {
  readonly port: number
  /** ms without data after which a server counts as silent. */
  readonly patience: number
  /** The values of `{{name}}`. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Sends a probe and reads at most as many answers as its outcomes have; then determines the state of the
 * connection.
 */
export async function converse(probe: Probe, options: ConversationOptions): Promise<Conversation> {
  const { values } = options
  const reader = new AnswerReader(new Wire(options.port, options.patience), probe.methods ?? [])
  try {
    for (const step of probe.sends) await take(step, reader, values)
    const wanted = Math.max(...probe.outcomes.map(({ answers }) => answers.length))
    while (reader.answers.length < wanted && (await reader.next()));
    return { answers: reader.answers, continues: reader.continues, fate: reader.trouble ?? (await fateOf(reader)) }
  } finally {
    reader.wire.destroy()
  }
}

async function take(step: Step, reader: AnswerReader, values: ReadonlyMap<string, string>): Promise<void> {
  if (step === 'await answer') await reader.first()
  else if (step === 'end') reader.wire.end()
  else reader.wire.write(step.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? ''))
}

/** If the end is announced, waits for it; otherwise sends one more request. */
async function fateOf(reader: AnswerReader): Promise<Fate> {
  const said = reader.answers.at(-1)?.fields.get('connection') ?? ''
  if (!/\bclose\b/i.test(said)) reader.wire.write(request(`GET ${NEXT.path}`, 'Connection: close'))
  const before = reader.answers.length
  await reader.next('GET')
  if (reader.trouble !== null) return reader.trouble
  const [answer, ...others] = reader.takeFrom(before)
  if (others.length > 0) return 'astray'
  return answer?.status === 200 && answer.body === NEXT.content ? 'open' : 'astray'
}

/** Splits the received data into answers. */
class AnswerReader {
  readonly wire: Wire
  readonly answers: Answer[] = []
  continues = 0
  /** Why no further answer arrives. */
  trouble: 'closed' | 'astray' | 'silent' | null = null
  readonly #methods: readonly string[]
  #bytes: Buffer = Buffer.alloc(0)

  constructor(wire: Wire, methods: readonly string[]) {
    this.wire = wire
    this.#methods = methods
  }

  /** Waits for anything: 100 (Continue) or a final answer. */
  async first(): Promise<void> {
    while (this.continues === 0 && this.answers.length === 0 && (await this.#read(this.#methods[0] ?? 'GET')));
  }

  /** Waits for one more final answer. False if there is none. */
  async next(method: string = this.#methods[this.answers.length] ?? 'GET'): Promise<boolean> {
    const before = this.answers.length
    while (this.answers.length === before && (await this.#read(method)));
    return this.answers.length > before
  }

  takeFrom(index: number): Answer[] {
    return this.answers.splice(index)
  }

  /** Reads one answer, interim or not. */
  async #read(method: string): Promise<boolean> {
    for (;;) {
      this.#bytes = Buffer.concat([this.#bytes, this.wire.take()])
      const nothing = this.#bytes.length === 0
      if (nothing && this.wire.ended) return this.#end('closed')
      const reading = nothing ? 'more' : readAnswer(this.#bytes, method, this.wire.ended)
      if (reading === 'nonsense') return this.#end('astray')
      if (reading !== 'more') {
        this.#bytes = reading.rest
        if (reading.answer.status === 100) this.continues++
        else this.answers.push(reading.answer)
        return true
      }
      if (!(await this.wire.news())) return this.#end(nothing ? 'silent' : 'astray')
    }
  }

  #end(trouble: 'closed' | 'astray' | 'silent'): false {
    this.trouble = trouble
    return false
  }
}
