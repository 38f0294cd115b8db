/** What is held back until the end of a turn of the event loop. */
export interface Held {
  flush(): void
}

let waiting: Held[] = []

/**
 * Flushes at the end of the present turn, together with all others. A backend that would go to sleep between two requests
 * is then woken once for all requests of a turn: waking a process costs more than the request itself.
 */
export function flushAtTurnEnd(held: Held): void {
  if (waiting.push(held) === 1) setImmediate(flushAll)
}

function flushAll(): void {
  const now = waiting
  waiting = []
  for (const held of now) held.flush()
}
