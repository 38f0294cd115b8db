import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'

/**
 * A finished exchange for logs: information that the {@link Request} alone does not have. Valid while
 * logTransaction runs. The figures are those of the network layer, so for a request that the client aborted
 * they are the bytes really written.
 */
export interface Transaction {
  /**
   * The request as the client sent it: the first of the chain that internal redirects and error documents
   * make.
   */
  readonly original: Request
  /** The last of the chain; the same object as `original` when there was no redirect. */
  readonly final: Request
  /**
   * Body bytes passed to the network, after content filters, without head and chunk framing. 0 for HEAD, 304
   * and empty bodies.
   */
  readonly bodyBytesSent: number
  /**
   * Milliseconds since the epoch, with fraction, when the response had been handed over: one reading for all
   * logs.
   */
  readonly endedAt: number
  /** Whole microseconds from `original.receivedAt` to `endedAt`; never negative. */
  readonly durationUs: number
  /**
   * Microseconds from the request line to the first byte of the response; null for a response of the error
   * path (built-in pages) and when nothing was sent.
   */
  readonly firstByteUs: number | null
  /** True when the connection may serve another request (`%X` prints `+`); false when it is closed. */
  readonly keptAlive: boolean
  /** Log id of the request, of 11 characters; null when no error-log line of the request asked for one. */
  readonly logId: string | null
  /** The same for the connection. */
  readonly connectionLogId: string | null
  /**
   * Values of a field of the response that was sent, in the order of sending, names without regard to case.
   * Content-Type is not asked for (it is `final.contentType`); Date and Server, which the writer adds, are
   * not among them.
   */
  responseHeader(name: string): readonly string[]
  /** Value of a trailer field of the request (joined with `, `), or undefined. */
  requestTrailer(name: string): string | undefined
  /** Value of a trailer field of the response, or undefined. */
  responseTrailer(name: string): string | undefined
}

/** Offered by the host: the transaction of any request of the chain. */
export const transactionOf: OptionalFunction<(request: Request) => Transaction> = optionalFunction('core:transaction')

/**
 * Names and values of a line of JSON. Texts are byte strings, read as UTF-8 or, where they are none, byte by
 * byte; what is undefined or null is left out.
 */
export type JsonFields = Readonly<Record<string, string | number | undefined | null>>

/**
 * Makes a line of JSON with its line feed, in ASCII whatever the fields have.
 * @param time milliseconds since 1970 with fraction, for `@timestamp`
 */
export type JsonLine = (time: number, fields: JsonFields) => string

/** Offered by the host: makes lines for a log of NDJSON. */
export const jsonLines: OptionalFunction<() => JsonLine> = optionalFunction('core:json_lines')

/** Computes one item of an access log line. Already escaped where it came from a client; null prints `-`. */
export type LogItem = (request: Request, transaction: Transaction) => string | null

/** Makes an item for one place in a format; `argument` is what stood in braces, '' if nothing did. */
export type LogItemMaker = (argument: string) => LogItem

/** The request of the chain for which an item is computed if the format has neither `<` nor `>`. */
export type LogItemSubject = 'original' | 'final'

/**
 * Offered by mod_log_config: adds an item to LogFormat. `letter` is one character (`I`) or `^` and two more
 * (`^FB`). To be called in preConfig. A later registration of the same letter wins, as in httpd. Letters of
 * one character must be known to mod_log_config, which refuses a format while it is read; names with `^` are
 * free.
 */
export const registerLogItem: OptionalFunction<(letter: string, make: LogItemMaker, subject?: LogItemSubject) => void> =
  optionalFunction('log_config:register_item')

/** Offered by the host: runs a function when the worker is about to end, before its logs are closed. */
export const beforeLogsClose: OptionalFunction<(run: () => void) => void> = optionalFunction('core:before_logs_close')
