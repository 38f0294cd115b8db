import { isExpressionError, type ModuleLog, type Request } from '@gatewright/api'
import type { Message, MessageHook } from './messages.ts'

/** Writes the messages of a hook, in the order of the sections and lines. */
export class MessageLog {
  readonly #log: ModuleLog

  constructor(log: ModuleLog) {
    this.#log = log
  }

  write(request: Request, messages: readonly Message[], hook: MessageHook): void {
    for (const message of messages) {
      if (message.hook !== hook && message.hook !== 'all') continue
      if (!this.#applies(request, message)) continue
      const text = this.#textOf(request, message)
      if (text === null) continue
      // At debug, httpd also writes where the message comes from.
      const place = this.#log.enabled(request, 'debug') ? ` (${hook} hook, ${message.file}:${message.line})` : ''
      this.#log.write(request, 'info', '', `${text}${place}`)
    }
  }

  #applies(request: Request, { condition }: Message): boolean {
    if (condition === null) return true
    try {
      return condition.test(request)
    } catch (error) {
      if (!isExpressionError(error)) throw error
      this.#log.write(request, 'error', 'AH00640', `Can't evaluate condition: ${error.message}`)
      return false
    }
  }

  #textOf(request: Request, { text }: Message): string | null {
    try {
      return text.of(request)
    } catch (error) {
      if (!isExpressionError(error)) throw error
      this.#log.write(request, 'error', 'AH00641', `Can't evaluate message expression: ${error.message}`)
      return null
    }
  }
}
