/**
 * Shows the progress to a person at a terminal, on one line that is overwritten; a log gets a line for each
 * scenario.
 */
export class Progress {
  #out
  #command
  #scenario = ''

  /** @param {NodeJS.WriteStream} out @param {string} [command] the name of the command */
  constructor(out, command = 'bench') {
    this.#out = out
    this.#command = command
  }

  tell(scenario, text) {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${this.#command}: ${scenario}: ${text}`)
    else if (scenario !== this.#scenario) this.#out.write(`${this.#command}: ${scenario}\n`)
    this.#scenario = scenario
  }

  /** Clears the line for other output. */
  clear() {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}
