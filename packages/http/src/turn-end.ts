import { armTurnEnd, onTurnEnd } from './turn.ts'

/** What is held back until the end of a turn of the event loop. */
export interface Held {
  flush(): void
}

/** With so many, none waits longer: others may still compute for a long time in this turn. */
const MOST_HELD = 64

let waiting: Held[] = []

onTurnEnd(flushHeld)

/**
 * Flushes at the end of the present turn, together with all others. The process at the other end, which may sleep between two
 * messages, is then woken once for all messages of a turn: waking a process costs more than sending to it.
 */
export function flushAtTurnEnd(held: Held): void {
  if (waiting.push(held) >= MOST_HELD) flushHeld()
  else armTurnEnd()
}

/** Flushes all at once. */
export function flushHeld(): void {
  const now = waiting
  waiting = []
  for (const held of now) held.flush()
}
