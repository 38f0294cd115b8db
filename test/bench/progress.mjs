/** Tells a person at a terminal what goes on, on one line that is written over; a log gets a line for each scenario. */
export class Progress {
  #out
  #scenario = ''

  /** @param {NodeJS.WriteStream} out */
  constructor(out) {
    this.#out = out
  }

  tell(scenario, text) {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[Kbench: ${scenario}: ${text}`)
    else if (scenario !== this.#scenario) this.#out.write(`bench: ${scenario}\n`)
    this.#scenario = scenario
  }

  /** Frees the line for something else. */
  clear() {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}
