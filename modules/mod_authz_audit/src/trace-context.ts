/** The span of a caller, as a field `traceparent` names it, with the names that OpenTelemetry gives to members of JSON logs. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** Of the caller's span: 16 hexadecimal digits. */
  readonly span_id: string
  /** 2 hexadecimal digits; 01 for a trace that is recorded. */
  readonly trace_flags: string
}

const FIELD = /^(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * Reads a field `traceparent` (W3C Trace Context, section 3.2). Version 00 has exactly four parts; later ones may have more.
 * @returns null if there is none, or a malformed one, which counts as none
 */
export function readTraceparent(field: string | undefined): TraceContext | null {
  const [, version, trace_id, span_id, trace_flags, more] = FIELD.exec(field ?? '') ?? []
  if (trace_id === undefined || span_id === undefined || trace_flags === undefined) return null
  return version === '00' && more !== undefined ? null : { trace_id, span_id, trace_flags }
}
