// Random mappings of URLs to a backend, side by side with httpd: what the backend received, and what the client got.
//   npm run oracle:proxy -- --seed 1 --rounds 3
//   npm run oracle:proxy -- --plants
//   npm run oracle:proxy -- --balancers ...   balancers with random members and parameters, and sequences of requests
//   npm run oracle:proxy -- --balancer-ways ...  balancers by mappings, rules and handlers, with parameters on any line
//   npm run oracle:proxy -- --scopes ...      lines of servers, sections and folders that compete for requests, and variables
//   npm run oracle:proxy -- --encodings ...   URLs with any octets, percent-encoded or not, by every way to a back end
//   npm run oracle:proxy -- --workers ...     parameters of workers, with back ends that fail and wait
//   npm run oracle:proxy -- --ajp ...         AJP back ends, whose responses are random as well, right and wrong
//   npm run oracle:proxy -- --http2 ...       the same with back ends that speak HTTP/2
//   npm run oracle:proxy -- --forward ...     forward proxies with rules of access, blocked hosts, tunnels and remote proxies
//   npm run oracle:proxy -- --responses ...   random responses, and lines that map, replace and change them
//   npm run oracle:proxy -- --lines 150       random lines of a configuration, right and wrong, and what -t says of them
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../build/conformance-ports.mjs'
import { ROOT } from '../../build/inputs.cjs'
import { ajp } from './ajp.mjs'
import { balancerWays } from './balancer-ways.mjs'
import { balancers } from './balancers.mjs'
import { encodings } from './encodings.mjs'
import { forward } from './forward.mjs'
import { http2 } from './http2.mjs'
import { mappings } from './mappings.mjs'
import { PLANTS, plantedModules } from './plants.mjs'
import { compareLines } from './proxy-lines.mjs'
import { responses } from './responses.mjs'
import { scopes } from './scopes.mjs'
import { workers } from './workers.mjs'

/** What makes a case from a seed, by its name among the options. */
const SHAPES = {
  mappings,
  ajp,
  'balancer-ways': balancerWays,
  balancers,
  encodings,
  forward,
  http2,
  responses,
  scopes,
  workers,
}

/** Programs that serve as the back end of all cases of a shape; they print their port. */
const BACK_ENDS = { ajp: 'ajp-back-end.mjs', http2: 'http2-back-end.mjs' }

/** Processes learn of each other's figures a moment later: members serve in turn within one. */
const ONE_PROCESS = ['--epilogue', join(ROOT, 'build/one-process.epilogue.conf')]

const options = readOptions(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'oracle-proxy-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.exitCode = await run()

async function run() {
  if (options.lines !== undefined) return compareLines(folder, { seed: options.seed, count: options.lines }) === 0 ? 0 : 1
  const program = BACK_ENDS[options.shape]
  if (program === undefined) return examine(undefined)
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const [port] = await once(child.stdout, 'data')
    return await examine(Number(port.toString()))
  } finally {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
}

/** @param port of the back end that the cases share, if there is one */
function examine(port) {
  return options.plants ? findPlants(port) : compareRounds(port)
}

async function compareRounds(port) {
  let failed = 0
  for (let round = 0; round < options.rounds; round++) {
    const seed = options.seed + round
    const { output, differs } = await compare(seed, port)
    console.log(`seed ${seed}: ${output.trim().split('\n').at(-1)}`)
    if (!differs) continue
    failed++
    console.log(output)
  }
  return failed === 0 ? 0 : 1
}

/** Every planted bug has to be found by one of the rounds. */
async function findPlants(port) {
  let missed = 0
  for (const [name, plant] of Object.entries(PLANTS[options.shape])) {
    let found = false
    for (let round = 0; round < options.rounds && !found; round++)
      found = (await compare(options.seed + round, port, plant)).differs
    console.log(`${found ? 'found ' : 'MISSED'} ${name}`)
    if (!found) missed++
  }
  return missed === 0 ? 0 : 1
}

/** Records httpd's answers to a case, and compares this server's, which may have a planted bug. */
async function compare(seed, port, plant = (line) => line) {
  const name = join(folder, 'proxy', `s${seed}.case.json`)
  mkdirSync(join(folder, 'proxy'), { recursive: true })
  const { hosts } = options
  const oneCase = SHAPES[options.shape]({ seed, port, ...(hosts === undefined ? {} : { hosts }) })
  writeFileSync(name, JSON.stringify(oneCase))
  const recorded = node(['test/conformance/record.mjs', '--cases', name, '--port', String(await freePorts(1))])
  if (recorded.status !== 0) throw new Error(`httpd could not be recorded:\n${recorded.stdout}${recorded.stderr}`)
  const isOfLines = typeof plant === 'function'
  const conf = isOfLines ? oneCase.conf.map((line, index) => plant(line, oneCase.conf[index - 1] ?? '')) : oneCase.conf
  writeFileSync(name, JSON.stringify({ ...oneCase, conf }))
  const modules = isOfLines ? [] : ['--module-dir', plantedModules(folder, plant)]
  const { stdout, status } = node(['build/conformance.mjs', '--cases', name, ...ONE_PROCESS, ...modules])
  return { output: stdout, differs: status !== 0 }
}

function node(words) {
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

function readOptions(words) {
  const number = (name, standard) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : standard)
  return {
    seed: number('--seed', 1),
    rounds: number('--rounds', 1),
    hosts: number('--hosts', undefined),
    shape: Object.keys(SHAPES).find((name) => words.includes(`--${name}`)) ?? 'mappings',
    plants: words.includes('--plants'),
    lines: number('--lines', undefined),
  }
}
