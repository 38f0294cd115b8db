import { busyMicroseconds, processMicroseconds } from './process-tree.mjs'

/** Measures which programs used the processors during a round. */
export class Usage {
  #server
  #cores
  #began = performance.now()
  #before

  /**
   * @param {{ cpuMicroseconds: number }} server
   * @param {readonly number[]} cores those of the server and the client
   */
  constructor(server, cores) {
    this.#server = server
    this.#cores = cores
    this.#before = this.#now()
  }

  /**
   * The usage since then. A few percent of others are within the precision of the kernel's figures.
   * @returns {{ serverMicroseconds: number, othersPercent: number }} CPU time of the server, and the share of
   *   the cores that was used neither by it nor by the benchmark
   */
  read() {
    const now = this.#now()
    const [server, benchmark, busy] = now.map((value, index) => value - this.#before[index])
    const available = (performance.now() - this.#began) * 1000 * this.#cores.length
    return { serverMicroseconds: server, othersPercent: Math.max(0, (100 * (busy - server - benchmark)) / available) }
  }

  /** wrk counts as part of the benchmark when it has ended. */
  #now() {
    return [this.#server.cpuMicroseconds, processMicroseconds(process.pid), busyMicroseconds(this.#cores)]
  }
}
