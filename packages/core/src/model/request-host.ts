import type { ForeignRequest, InputFilter, MaybePromise, Outcome, OutputFilter, SubResponse } from '@gatewright/api'
import type { BodyRequest, Exchange } from '@gatewright/http'
import type { RequestWork } from '../work/request-work.ts'
import type { RequestRecord } from './request-record.ts'

/** What requests need from the configuration that serves them. */
export interface RequestHost {
  lookupUri(request: RequestRecord, uri: string, method: string): MaybePromise<RequestRecord>
  lookupForeign(request: RequestRecord, foreign: ForeignRequest): MaybePromise<RequestRecord>
  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord>
  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord>
  setValidators(request: RequestRecord): void
  meetsConditions(request: RequestRecord): Outcome
  internalRedirect(request: RequestRecord, uri: string, contentType: string | null): MaybePromise<Outcome>
  /** The filter of a name; null, with a log line, if there is none. */
  outputFilter(request: RequestRecord, name: string): OutputFilter | null
  /** The same for input filters. */
  inputFilter(request: RequestRecord, name: string): InputFilter | null
  runSubrequest(request: RequestRecord): MaybePromise<SubResponse>
  /** The account of the computing time of a client's request. */
  newWork(request: RequestRecord): RequestWork
  discardBody(request: RequestRecord): MaybePromise<Outcome>
  readBody(request: RequestRecord, asks: BodyRequest): AsyncIterable<Uint8Array>
  serverName(request: RequestRecord): string
  serverPort(request: RequestRecord): number
  sendInterim(
    exchange: Exchange | null,
    status: number,
    reason: string,
    fields: Iterable<readonly [name: string, value: string]>,
  ): boolean
  readonly end: ResponseEnd
}

/** What follows a response. */
export interface ResponseEnd {
  /** To be called when the last byte of a response was sent, or none will follow. */
  finish(request: RequestRecord): void
}
