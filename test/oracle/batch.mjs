// Runs many policies on both servers at once and reports the differences.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expand } from '../conformance/lib/cases.mjs'
import { Normaliser, readLogs } from '../conformance/lib/observe.mjs'
import { freePort } from '../fixtures/free-port.ts'
import { converse } from './conversation.mjs'
import { differencesOf } from './differences.mjs'
import { USERS } from './generate/authentication.mjs'
import { configuration, policyFiles, policyRequests } from './layout.mjs'
import { loadLines } from './sides.mjs'

const AT_A_TIME = 8
/** Whole seconds since 1970: what a file system makes of a fraction is not what is compared. */
const FILE_TIME = 1_577_934_245
const AUTH_FILES = {
  users: [...Object.entries(USERS).map(([name, password]) => `${name}:${sha(password)}`), `bob by:${sha('x')}`],
  others: [`zoe:${sha('secret')}`, `alice:${sha('wrong')}`, `nobody:${sha('secret')}`],
  groups: [
    'admins: alice bob',
    'staff: carol "al ice"',
    'everybody: alice bob carol dave',
    'two words: bob',
    'empty:',
    '# comment: dave',
    'staff: dave',
  ],
  othergroups: ['staff: alice', 'admins: carol'],
}
const DBM_GROUPS = ['alice ops,dev', 'bob dev', 'carol web', 'dave web,ops,night', 'bob:Ops ops']

/**
 * Resolves to one entry per policy: `{ requests, differences }`, where each difference is `{ where, field, expected, got }`.
 * @param options.logLevel value of LogLevel for the whole server
 */
export async function runBatch(policies, { sides, logLevel = 'warn', keep = false }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oracle-')))
  chmodSync(folder, 0o755)
  const running = new Set()
  const clean = () => {
    for (const pid of running) killGroup(pid)
    if (keep) console.error(`kept ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clean)
  try {
    writeShared(folder, policies)
    const servers = [place(sides.reference, 'reference', await freePort()), place(sides.ours, 'ours', await freePort())]
    const results = policies.map(({ requests, startCheck }) => ({ requests: startCheck ? 1 : requests.length, differences: [] }))
    const batch = { folder, running, policies, results, servers, modules: sides.modules, logLevel }
    await checkStarts(batch)
    const { served, answers } = await serveAll(batch)
    const [expected, got] = answers
    for (const index of served) {
      // A request that crashes httpd takes others with it: there is nothing to compare with.
      const isAnswered = expected.get(index).responses.every(({ failure }) => failure === undefined)
      if (isAnswered) results[index].differences.push(...differencesOf(expected.get(index), got.get(index)))
      else results[index].unanswered = true
    }
    return results
  } finally {
    process.off('exit', clean)
    clean()
  }
}

function place(server, name, port) {
  return { server, name, port }
}

function writeShared(folder, policies) {
  const write = (name, text) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, FILE_TIME, FILE_TIME)
  }
  for (const [name, lines] of Object.entries(AUTH_FILES)) write(`auth/${name}`, `${lines.join('\n')}\n`)
  write('auth/dbmgroups.txt', `${DBM_GROUPS.join('\n')}\n`)
  run('httxt2dbm', ['-f', 'SDBM', '-i', join(folder, 'auth/dbmgroups.txt'), '-o', join(folder, 'auth/dbmgroups')])
  run('htdbm', ['-cbsTSDBM', join(folder, 'auth/dbmusers'), 'erin', 'dbm'])
  const settings = { root: folder, port: 0, loadModule: () => '', moduleDir: '', ipv6: true }
  policies.forEach((policy, index) => {
    for (const [name, text] of Object.entries(policyFiles(policy, index)))
      write(`docs/${name}`, expand(withAuth(text, folder), settings))
  })
}

function run(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The beginning of every configuration, for one of the servers. */
function head({ folder, modules, logLevel }, { server }) {
  return [
    'ServerRoot "@ROOT@"',
    'ServerName localhost',
    'Listen 127.0.0.1:@PORT@',
    'Listen [::1]:@PORT@',
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error.log',
    ...loadLines(server, modules),
    `LogLevel ${logLevel}`,
    'LogFormat "%{remote}p|%a %u \\"%r\\" %>s" probe',
    'CustomLog logs/access.log probe',
    'DocumentRoot "@DOCROOT@"',
    'SetEnvIf X-Flag on flag=1',
    'SetEnvIf X-Flag off flag_off=1',
    // Without it httpd crashes if the provider socache is used.
    ...(modules.includes('authn_socache') ? ['AuthnCacheEnable'] : []),
    '<Directory "@DOCROOT@">',
    '  AllowOverride All',
    '  AuthName "fuzz"',
    '  AuthUserFile "@AUTH@/users"',
    '  AuthGroupFile "@AUTH@/groups"',
    '  AuthDBMType SDBM',
    '  AuthDBMUserFile "@AUTH@/dbmusers"',
    '  AuthzDBMType SDBM',
    '  AuthDBMGroupFile "@AUTH@/dbmgroups"',
    '</Directory>',
  ].map((line) => withAuth(line, folder))
}

/** Writes the configuration of some of the policies for a server; resolves names and gives the owners of the lines. */
function writeConfiguration(batch, place, indices) {
  const { folder, policies } = batch
  const root = join(folder, place.name)
  for (const part of ['conf', 'logs']) mkdirSync(join(root, part), { recursive: true })
  const { server, port } = place
  const settings = { root, port, loadModule: server.loadModule, moduleDir: server.moduleDir, ipv6: server.ipv6 }
  const text = (source) => expand(withAuth(source, folder).replaceAll('@DOCROOT@', join(folder, 'docs')), settings)
  if (server.preamble) writeFileSync(join(root, 'conf/preamble.conf'), text(server.preamble))
  if (server.epilogue) writeFileSync(join(root, 'conf/epilogue.conf'), text(server.epilogue))
  const kept = policies.map((policy, index) => (indices.includes(index) ? policy : { prelude: [], main: [], virtualHost: false }))
  const { lines, owners } = configuration(head(batch, place), kept)
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(file, `${text(lines.join('\n'))}\n`)
  return { root, file, owners }
}

/** Compares both servers' messages at start for each policy that is invalid on purpose. */
async function checkStarts(batch) {
  for (const [index, { startCheck }] of batch.policies.entries()) {
    if (!startCheck) continue
    const [expected, got] = await Promise.all(batch.servers.map((place) => check(batch, place, [index])))
    batch.results[index].differences.push(...differencesOf({ start: startAnswer(expected) }, { start: startAnswer(got) }))
  }
}

function startAnswer({ exit, stderr }) {
  return { exit, stderr }
}

/** `-t` with some of the policies: `{ exit, stderr, owner }`, where owner is the policy that a message points at, or -1. */
async function check(batch, place, indices) {
  const { root, file, owners } = writeConfiguration(batch, place, indices)
  const { exit, stderr } = await place.server.check(root, file, ['-t'])
  const line = /on line (\d+) of \S*httpd\.conf/.exec(stderr)?.[1]
  const normaliser = normaliserOf(batch, place, root)
  const lines = stderr.split('\n').filter((each) => each !== '' && !each.startsWith('hint: '))
  return {
    exit,
    stderr: lines.map((each) => normaliser.stderrLine(each)),
    owner: line === undefined ? -1 : owners[Number(line) - 1],
  }
}

/** Most batches start at once; only where a server refuses to is it asked which policy is to blame. */
async function serveAll(batch) {
  const serving = (indices) => Promise.allSettled(batch.servers.map((server) => serve(batch, server, indices)))
  const all = batch.policies.flatMap(({ startCheck }, index) => (startCheck ? [] : [index]))
  const first = await serving(all)
  if (first.every(({ status }) => status === 'fulfilled')) return { served: all, answers: first.map(({ value }) => value) }
  const served = await servable(batch, all)
  if (served.length === all.length) throw first.find(({ status }) => status === 'rejected').reason
  const second = await serving(served)
  const failed = second.find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return { served, answers: second.map(({ value }) => value) }
}

/** The policies that both servers start with. A refusal by one server only is a difference; by both, the messages must agree. */
async function servable(batch, all) {
  let indices = all
  for (;;) {
    const [expected, got] = await Promise.all(batch.servers.map((place) => check(batch, place, indices)))
    if (expected.exit === 0 && got.exit === 0) return indices
    const owner = expected.exit === 0 ? got.owner : expected.owner
    if (owner < 0)
      throw new Error(`a server refuses the configuration as a whole:\n${[...expected.stderr, ...got.stderr].join('\n')}`)
    batch.results[owner].refused = expected.exit !== 0
    batch.results[owner].differences.push(...differencesOf({ start: startAnswer(expected) }, { start: startAnswer(got) }))
    indices = indices.filter((index) => index !== owner)
  }
}

/** Starts one server with the policies and sends it all requests: answers by policy index. */
async function serve(batch, place, indices) {
  const { root, file } = writeConfiguration(batch, place, indices)
  const started = await place.server.start(root, file, place.port)
  batch.running.add(started.child.pid)
  const answers = new Map()
  let requests = 0
  try {
    const queue = indices.values()
    const used = new Set()
    const worker = async () => {
      for (const index of queue) {
        answers.set(index, await ask(batch.policies[index], index, place, used))
        requests += batch.policies[index].requests.length
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, worker))
    await until(() => logLines(root) >= requests)
  } finally {
    await place.server.stop(started)
    batch.running.delete(started.child.pid)
  }
  const normaliser = normaliserOf(batch, place, root)
  const logs = readLogs(root, normaliser)
  for (const [index, answer] of answers) answers.set(index, observed(answer, logs, normaliser))
  return answers
}

/** The requests of a policy, each client's over connections of its own. */
async function ask(policy, index, { port }, used) {
  const requests = policyRequests(policy, index)
  const clients = Map.groupBy(requests.keys(), (at) => requests[at].from)
  const answer = { responses: [], clients: [] }
  for (const [from, which] of clients) {
    const { responses, ports } = await converse({ port, from, requests: which.map((at) => requests[at]), used })
    which.forEach((at, place) => {
      answer.responses[at] = responses[place]
    })
    answer.clients.push({ from, ports })
  }
  return answer
}

/** An answer in comparable form: no times, process numbers, ports and nonces. */
function observed({ responses, clients }, logs, normaliser) {
  return {
    responses: responses.map((response) => (response === null ? { failure: 'no answer' } : normaliser.response(response))),
    clients: clients.map(({ from, ports }) => ({
      from,
      access: ports.flatMap((port) => logs.access.get(port) ?? []),
      error: ports.flatMap((port) => logs.error.get(port) ?? []),
    })),
  }
}

function normaliserOf({ folder }, { server, port }, root) {
  const mask = [
    [RegExp.escape(folder), ''],
    ['nonce="[^"]*"', 'nonce="*"'],
    // How a name could not be found is worded by the system.
    ['AH01753: .*', 'AH01753: *'],
    // Our message describes the error in a pattern.
    ['(Failed to compile regular expression).*', '$1'],
  ]
  return new Normaliser({ root, port, product: server.product, program: basename(server.program), mask })
}

/** A server writes the last lines when it has answered. */
async function until(met, milliseconds = 3000) {
  const deadline = performance.now() + milliseconds
  while (!met() && performance.now() < deadline) await sleep(10)
}

function logLines(root) {
  return readFileSync(join(root, 'logs/access.log')).filter((byte) => byte === 10).length
}

function withAuth(text, folder) {
  return text.replaceAll('@AUTH@', join(folder, 'auth'))
}

function sha(password) {
  return `{SHA}${createHash('sha1').update(password).digest('base64')}`
}
