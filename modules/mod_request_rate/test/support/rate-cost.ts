// Prints the CPU time that the table of rates needs for one request, in microseconds: at most 1 is wanted. Run it with
// node --conditions=gatewright-source modules/mod_request_rate/test/support/rate-cost.ts

import { RateTable } from '../../src/rate-table.ts'

const CLIENTS = 5_000
const REQUESTS = 1_000_000

const table = new RateTable(new Uint8Array(32).fill(7), () => undefined)
const keys = Array.from({ length: CLIENTS }, (_, index) => `192.0.${index >> 8}.${index & 255}`)

function count(requests: number): void {
  for (let index = 0; index < requests; index++) {
    const key = keys[index % CLIENTS]
    const now = index / 20
    if (table.wait(17, key, now, 1_000_000) <= 0) table.take(17, key, now, 100)
  }
}

count(REQUESTS / 5)
for (let round = 0; round < 5; round++) {
  const before = process.cpuUsage()
  count(REQUESTS)
  const { user, system } = process.cpuUsage(before)
  console.log(((user + system) / REQUESTS).toFixed(2))
}
