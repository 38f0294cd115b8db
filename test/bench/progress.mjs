/** Tells a person at a terminal what goes on, on one line that is written over; a log gets a line for each scenario. */
export class Progress {
  #out
  #command
  #scenario = ''

  /** @param {NodeJS.WriteStream} out @param {string} [command] which one it is that goes on */
  constructor(out, command = 'bench') {
    this.#out = out
    this.#command = command
  }

  tell(scenario, text) {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${this.#command}: ${scenario}: ${text}`)
    else if (scenario !== this.#scenario) this.#out.write(`${this.#command}: ${scenario}\n`)
    this.#scenario = scenario
  }

  /** Frees the line for something else. */
  clear() {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}
