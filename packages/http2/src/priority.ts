/** Levels of urgency (RFC 9218 section 4.1). */
export const URGENCIES = 8

/** How a response shares the connection with others. */
export interface Priority {
  /** 0 to 7; smaller numbers come first. */
  readonly urgency: number
  /** Whether responses of the same urgency take turns. */
  readonly incremental: boolean
}

/**
 * The priority of a request that states none. By the RFC it would not be incremental, but then a short response would wait
 * for the end of a long one whose client never asked for that.
 */
export const UNSTATED: Priority = { urgency: 3, incremental: true }

const PART = /^[ \t]*([a-z*][a-z0-9_\-.*]*)(?:=([^;]*))?/

/**
 * Parses a field Priority, or that of a frame PRIORITY_UPDATE. What is not understood is ignored (RFC 9218 section 4).
 */
export function parsePriority(text: string): Priority {
  let urgency = 3
  let incremental = false
  for (const part of text.split(',')) {
    const match = PART.exec(part)
    if (match === null) continue
    const value = match[2]?.trim()
    if (match[1] === 'u' && value !== undefined && /^[0-7]$/.test(value)) urgency = Number(value)
    else if (match[1] === 'i' && (value === undefined || value === '?1')) incremental = true
    else if (match[1] === 'i' && value === '?0') incremental = false
  }
  return { urgency, incremental }
}
