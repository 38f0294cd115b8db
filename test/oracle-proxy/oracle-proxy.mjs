// Random mappings of URLs to a backend, side by side with httpd: what the backend received, and what the client got.
//   npm run oracle:proxy -- --seed 1 --rounds 3
//   npm run oracle:proxy -- --plants
//   npm run oracle:proxy -- --balancers ...   balancers with random members and parameters, and sequences of requests
//   npm run oracle:proxy -- --lines 150       random lines of a configuration, right and wrong, and what -t says of them
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../build/inputs.cjs'
import { balancers } from './balancers.mjs'
import { mappings } from './mappings.mjs'
import { compareLines } from './proxy-lines.mjs'

/** Bugs of this server's side only, each a change of its configuration: the comparison has to find them. */
const PLANTS_OF_MAPPINGS = {
  'nocanon is ignored': (line) => line.replace(/ nocanon$/, ''),
  'mapping=encoded is ignored': (line) => line.replace(/ mapping=encoded$/, ''),
  'an exclusion is ignored': (line) => line.replace(/^( *)ProxyPass "[^"]*" !$/, '$1# gone'),
  'Require of a Proxy section is ignored': (line, before) =>
    /^ *<Proxy/.test(before) ? line.replace('denied', 'granted') : line,
  'encoded slashes are allowed': (line) => line.replace(/^( *ServerName .*)$/, '$1\n  AllowEncodedSlashes On'),
  'ProxyPassReverse has no effect': (line) => line.replace(/^( *)ProxyPassReverse "/, '$1ProxyPassReverse "/none'),
}

const PLANTS_OF_BALANCERS = {
  'factors are ignored': (line) => line.replace(/ loadfactor=\S+/, ''),
  'sets are ignored': (line) => line.replace(/ lbset=\S+/, ''),
  'hot standbys are ordinary members': (line) => line.replace(/\+H/, '-H'),
  'hot spares are ordinary members': (line) => line.replace(/\+R/, '-R'),
  'draining members take new requests': (line) => line.replace(/\+N/, '-N'),
  'disabled members serve': (line) => line.replace(/\+D/, '-D'),
  'errors are not ignored': (line) => line.replace(/\+I/, '-I'),
  'routes are ignored': (line) => line.replace(/ route=\S+/, ''),
  'redirects are ignored': (line) => line.replace(/ redirect=\S+/, ''),
  'sessions fail over': (line) => line.replace('nofailover=On', 'nofailover=Off'),
  'only one member is tried': (line) => line.replace(/^( *)ProxySet (?!.*maxattempts)/, '$1ProxySet maxattempts=0 '),
  'all members recover at once': (line) => line.replace('forcerecovery=Off', 'forcerecovery=On'),
  'failonstatus has no effect': (line) => line.replace(/ failonstatus=\S+/, ''),
  'methods are byrequests': (line) => line.replace(/lbmethod=\S+/, 'lbmethod=byrequests'),
  'the error state ends at once': (line) => line.replace('retry=60', 'retry=0'),
}

/** Processes learn of each other's figures a moment later: members serve in turn within one. */
const ONE_PROCESS = ['--epilogue', join(ROOT, 'build/one-process.epilogue.conf')]

const options = readOptions(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'oracle-proxy-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.exitCode = run()

function run() {
  if (options.lines !== undefined) return compareLines(folder, { seed: options.seed, count: options.lines }) === 0 ? 0 : 1
  return options.plants ? findPlants() : compareRounds()
}

function compareRounds() {
  let failed = 0
  for (let round = 0; round < options.rounds; round++) {
    const seed = options.seed + round
    const { output, differs } = compare(seed, (line) => line)
    console.log(`seed ${seed}: ${output.trim().split('\n').at(-1)}`)
    if (!differs) continue
    failed++
    console.log(output)
  }
  return failed === 0 ? 0 : 1
}

/** Every planted bug has to be found by one of the rounds. */
function findPlants() {
  let missed = 0
  for (const [name, change] of Object.entries(options.balancers ? PLANTS_OF_BALANCERS : PLANTS_OF_MAPPINGS)) {
    let found = false
    for (let round = 0; round < options.rounds && !found; round++) found = compare(options.seed + round, change).differs
    console.log(`${found ? 'found ' : 'MISSED'} ${name}`)
    if (!found) missed++
  }
  return missed === 0 ? 0 : 1
}

/** Records httpd's answers to a case, and compares this server's. */
function compare(seed, change) {
  const name = join(folder, 'proxy', `s${seed}.case.json`)
  mkdirSync(join(folder, 'proxy'), { recursive: true })
  const oneCase = options.balancers
    ? balancers({ seed, hosts: options.hosts ?? 12 })
    : mappings({ seed, hosts: options.hosts ?? 40 })
  writeFileSync(name, JSON.stringify(oneCase))
  const recorded = node(['test/conformance/record.mjs', '--cases', name, '--port', '8710'])
  if (recorded.status !== 0) throw new Error(`httpd could not be recorded:\n${recorded.stdout}${recorded.stderr}`)
  const conf = oneCase.conf.map((line, index) => change(line, oneCase.conf[index - 1] ?? ''))
  writeFileSync(name, JSON.stringify({ ...oneCase, conf }))
  const { stdout, status } = node(['build/conformance.mjs', '--cases', name, ...ONE_PROCESS])
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
    balancers: words.includes('--balancers'),
    plants: words.includes('--plants'),
    lines: number('--lines', undefined),
  }
}
