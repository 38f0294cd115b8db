const listeners: (() => void)[] = []
let isArmed = false

/** Calls a function at the end of each turn of the event loop for which `armTurnEnd` was called. */
export function onTurnEnd(listener: () => void): void {
  listeners.push(listener)
}

/** The listeners are called at the end of the present turn. */
export function armTurnEnd(): void {
  if (isArmed) return
  isArmed = true
  setImmediate(endTurn)
}

function endTurn(): void {
  isArmed = false
  for (const listener of listeners) listener()
}
