#!/usr/bin/env node
// npm run slow-file [-- --clients 10 --rate 4 --seconds 30 --servers gatewright,apache2,nginx --json]: clients read a sparse file of 2 GiB, each at `rate` MiB/s, and the server's memory is
// looked at all the while. Then fast clients read it to its end, and ranges of one of 5 GiB are asked for where numbers of 32 bits end. Ends with status 1 when our memory grows by more
// than a block per client once all of them read, or when we answer anything wrongly.
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pickCores } from '../bench/cores.mjs'
import { checkOffsets, readWhole } from './large-answers.mjs'
import { digestOf, makeMarkedFile } from './marked-file.mjs'
import { SERVER_NAMES, withServers } from './place.mjs'

const FILE = 'sparse.bin'
const SIZE = 2 ** 31
const LARGER = 'larger.bin'
const LARGER_SIZE = 5 * 2 ** 30
const FAST_CLIENTS = 3
const MEBIBYTE = 2 ** 20
/** ms between two checks, and between two portions of a client. */
const STEP_MS = 100
/** Until then buffers are made, which stay. */
const SETTLED_MS = 5000

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '10' },
    rate: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '30' },
    servers: { type: 'string', default: SERVER_NAMES },
    json: { type: 'boolean', default: false },
  },
})
const clients = Number(options.clients)
const portion = (Number(options.rate) * MEBIBYTE * STEP_MS) / 1000
const results = []
let folder = ''
let digest = ''

async function watch(server) {
  const { port } = server
  const before = server.memoryMebibytes
  const readers = Array.from({ length: clients }, () => new SlowReader(port))
  const looks = []
  const began = performance.now()
  while (performance.now() - began < Number(options.seconds) * 1000) {
    await pause(STEP_MS)
    looks.push({ at: performance.now() - began, memory: server.memoryMebibytes })
  }
  for (const reader of readers) reader.end()
  const late = looks.filter(({ at }) => at > SETTLED_MS).map(({ memory }) => memory)
  const read = readers.reduce((sum, { received }) => sum + received, 0) / MEBIBYTE
  const broken = readers.filter(({ broken }) => broken).length
  const whole = await readWhole(port, `/${FILE}`, digest, FAST_CLIENTS)
  return {
    server: server.server,
    before,
    settled: late[0],
    least: Math.min(...late),
    most: Math.max(...late),
    last: late.at(-1),
    read,
    broken,
    whole: whole.right,
    mebibytesPerSecond: whole.mebibytesPerSecond,
    wrong: await checkOffsets(port, `/${LARGER}`, LARGER_SIZE),
  }
}

/** Takes a portion of its answer per step. */
class SlowReader {
  received = 0
  broken = false
  #socket
  #timer
  #wanted = 0

  constructor(port) {
    this.#socket = connect({ host: '127.0.0.1', port })
    this.#socket.write(`GET /${FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    this.#socket.on('data', (chunk) => {
      this.received += chunk.length
      if (this.received >= this.#wanted) this.#socket.pause()
    })
    const broken = () => {
      this.broken = true
    }
    this.#socket.on('error', broken)
    this.#socket.on('end', broken)
    this.#timer = setInterval(() => {
      this.#wanted += portion
      if (this.received < this.#wanted) this.#socket.resume()
    }, STEP_MS)
  }

  end() {
    clearInterval(this.#timer)
    this.#socket.removeAllListeners('end')
    this.#socket.destroy()
  }
}

function makeFiles(docs) {
  makeMarkedFile(join(docs, FILE), SIZE)
  makeMarkedFile(join(docs, LARGER), LARGER_SIZE)
  folder = docs
}

function table() {
  const row = ([first, ...cells]) => `  ${first.padEnd(12)}${cells.map((cell) => cell.padStart(11)).join('')}`
  const figures = ({ before, settled, least, most, last, read }) =>
    [before, settled, least, most, last, read].map((mib) => mib.toFixed(1))
  return [
    `${clients} clients read a file of 2 GiB at ${options.rate} MiB/s each; memory of all processes of a server in MiB`,
    row(['', 'before', 'after 5 s', 'least', 'most', 'last', 'read', 'broken']),
    ...results.map((each) => row([each.server, ...figures(each), String(each.broken)])),
    '',
    `${FAST_CLIENTS} clients read it to its end as fast as they can, and ranges of a file of 5 GiB are asked for`,
    row(['', 'right', 'MiB/s', 'wrong']),
    ...results.map(({ server, whole, mebibytesPerSecond, wrong }) =>
      row([server, String(whole), mebibytesPerSecond.toFixed(0), wrong.length === 0 ? '0' : `  ${wrong.join(', ')}`]),
    ),
  ].join('\n')
}

const signal = new AbortController().signal
await withServers(
  { servers: options.servers.split(','), core: pickCores().server, signal, prepare: makeFiles },
  async (servers) => {
    digest = await digestOf(join(folder, FILE))
    for (const server of servers) results.push(await watch(server))
  },
)
if (options.json) console.log(JSON.stringify(results, null, 2))
else console.log(table())
const ours = results.find(({ server }) => server === 'gatewright')
if (ours !== undefined && ours.most - ours.settled > clients) {
  console.error(`FAILED: gatewright grew from ${ours.settled.toFixed(1)} to ${ours.most.toFixed(1)} MiB`)
  process.exitCode = 1
}
if (ours !== undefined && (ours.whole !== FAST_CLIENTS || ours.wrong.length > 0)) {
  console.error('FAILED: gatewright sent something else than the file holds')
  process.exitCode = 1
}
