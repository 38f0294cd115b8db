/**
 * Shows the progress of a long run: one line that is overwritten on a terminal, one line per part elsewhere.
 */
export class Progress {
  constructor(stream) {
    this.stream = stream
    this.started = performance.now()
  }

  /** `done` when a part has ended; on a terminal, its earlier messages are overwritten. */
  tell(text, { done = false } = {}) {
    const line = `${text} (${((performance.now() - this.started) / 1000).toFixed(0)} s)`
    if (this.stream.isTTY) this.stream.write(`\r\x1b[K${line}${done ? '\n' : ''}`)
    else if (done) this.stream.write(`${line}\n`)
  }
}
