import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'

/**
 * A finished exchange, for logs: information that the {@link Request} alone does not have. Valid while
 * logTransaction runs. The figures are those of the network layer, so for a request that the client aborted
 * they count the bytes really written.
 */
export interface Transaction {
  /** The request as the client sent it: the first of a chain of internal redirects and error documents. */
  readonly original: Request
  /** The last of the chain; the same object as `original` if there was no redirect. */
  readonly final: Request
  /**
   * Body bytes passed to the network, after content filters, without head and chunk framing. 0 for HEAD, 304
   * and empty bodies.
   */
  readonly bodyBytesSent: number
  /**
   * Milliseconds since the epoch, with fraction, when the response had been handed over; the same value for
   * all logs.
   */
  readonly endedAt: number
  /** Whole microseconds from `original.receivedAt` to `endedAt`; never negative. */
  readonly durationUs: number
  /**
   * Microseconds from the request line to the first byte of the response; null for a built-in error page and
   * if nothing was sent.
   */
  readonly firstByteUs: number | null
  /** True if the connection may serve another request (`%X` prints `+`); false if it is closed. */
  readonly keptAlive: boolean
  /** Log id of the request, of 11 characters; null if no error-log line of the request contains one. */
  readonly logId: string | null
  /** The same for the connection. */
  readonly connectionLogId: string | null
  /**
   * Values of a field of the sent response, in the order of sending. Names match in any case. Content-Type is
   * not included (see `final.contentType`), nor are Date and Server, which the writer adds.
   */
  responseHeader(name: string): readonly string[]
  /** Value of a trailer field of the request (joined with `, `), or undefined. */
  requestTrailer(name: string): string | undefined
  /** Value of a trailer field of the response, or undefined. */
  responseTrailer(name: string): string | undefined
}

/** Provided by the host: the transaction of any request of the chain. */
export const transactionOf: OptionalFunction<(request: Request) => Transaction> = optionalFunction('core:transaction')

/**
 * Names and values of a line of JSON. Texts are byte strings, decoded as UTF-8 or, if that is not possible,
 * byte by byte; undefined and null values are omitted.
 */
export type JsonFields = Readonly<Record<string, string | number | undefined | null>>

/**
 * Makes a line of JSON with its line feed, always in ASCII.
 * @param time milliseconds since 1970 with fraction, for `@timestamp`
 */
export type JsonLine = (time: number, fields: JsonFields) => string

/** Provided by the host: makes lines for a log of NDJSON. */
export const jsonLines: OptionalFunction<() => JsonLine> = optionalFunction('core:json_lines')

/** Computes one item of an access log line. Text from a client is escaped already; null prints `-`. */
export type LogItem = (request: Request, transaction: Transaction) => string | null

/** Makes an item for one place in a format; `argument` is the text in braces, '' if there is none. */
export type LogItemMaker = (argument: string) => LogItem

/** The request of the chain for which an item is computed if the format has neither `<` nor `>`. */
export type LogItemSubject = 'original' | 'final'

/**
 * Provided by mod_log_config: adds an item to LogFormat. `letter` is one character (`I`) or `^` and two more
 * (`^FB`). Call this in preConfig. A later registration of the same letter wins, as in httpd. Letters of one
 * character must be known to mod_log_config, which rejects a format while reading; names with `^` are not
 * restricted.
 */
export const registerLogItem: OptionalFunction<(letter: string, make: LogItemMaker, subject?: LogItemSubject) => void> =
  optionalFunction('log_config:register_item')

/** Provided by the host: runs a function when the worker is about to end, before its logs are closed. */
export const beforeLogsClose: OptionalFunction<(run: () => void) => void> = optionalFunction('core:before_logs_close')
