import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { peakMebibytes } from '../bench/process-tree.mjs'
import { PROGRAM_PATH } from '../bench/servers/programs.mjs'
import { freePort, RunningServer } from '../bench/servers/running-server.mjs'
import { preparePlace } from '../bench/site.mjs'
import { OtherClient } from './other-client.mjs'

/** How long the other client sends requests before the expensive one, and after its answer. */
const BEFORE_MS = 300
const AFTER_MS = 300
/** Modules in addition to the usual ones whose directives a tenant can use. */
const MODULES = [
  'rewrite',
  'expires',
  'deflate',
  'filter',
  'negotiation',
  'autoindex',
  'auth_basic',
  'auth_digest',
  'authn_file',
  'authz_user',
  'authz_groupfile',
]

/**
 * One row on one server, which is started anew for it.
 * @param {{ scratch: string, core: number, seconds: number, signal: AbortSignal }} run `seconds`: so long the expensive answer is waited for
 * @returns {Promise<{ longestMilliseconds: number, cutOff: number, refused: number, status: number | null, error?: string, milliseconds: number, mebibytes: number }>} `longestMilliseconds` is what
 *   the other client had to wait; `status`, null when there is none, and `milliseconds` belong to the expensive answer; `mebibytes` is how much the largest process has grown meanwhile
 */
export async function measureRow(row, server, { scratch, core, seconds, signal }) {
  const folder = join(scratch, row.name, server.name)
  let running
  try {
    const { docs, parts } = writeTenant(folder, row)
    const port = await freePort()
    const place = preparePlace(join(folder, 'root'), docs, port, {})
    const directory = ['Require all granted', 'Options All']
    const scenario = { httpd: { directory, override: 'All', modules: MODULES, server: parts.server } }
    writeFileSync(join(place.root, 'server.conf'), server.configuration(scenario, place))
    running = await RunningServer.start({ core, command: server.command(place), port, path: PROGRAM_PATH, signal })
    const before = peak(running)
    const other = new OtherClient(port)
    other.start()
    await pause(BEFORE_MS)
    const answer = await ask(port, parts.request, seconds * 1000, signal)
    await pause(AFTER_MS)
    await other.stop(seconds * 1000)
    signal.throwIfAborted()
    const { longest, cutOff, refused } = other
    return { longestMilliseconds: longest, cutOff, refused, ...answer, mebibytes: Math.max(0, peak(running) - before) }
  } finally {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function peak(running) {
  return Math.max(...running.processes.map(peakMebibytes))
}

function writeTenant(folder, row) {
  const docs = join(folder, 'docs')
  const tenant = join(docs, 'tenant')
  const placed = (content) => (Array.isArray(content) ? `${content.join('\n')}\n` : content).replaceAll('@TENANT@', tenant)
  const parts = row.make()
  write(join(docs, 'other/small.html'), 'small\n')
  for (const [name, content] of Object.entries({ 'b.txt': 'b\n', ...parts.files })) write(join(tenant, name), placed(content))
  for (const [name, size] of Object.entries(parts.sizes)) {
    write(join(tenant, name), '')
    truncateSync(join(tenant, name), size)
  }
  return { docs, parts: { ...parts, server: parts.server.map(placed) } }
}

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** The expensive request; its answer is read and dropped. */
function ask(port, { path, method, headers }, patience, signal) {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status, error) =>
      resolve({ status, ...(error === undefined ? {} : { error }), milliseconds: performance.now() - began })
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      answer.on('error', () => end(answer.statusCode, 'cut off'))
      answer.on('end', () => end(answer.statusCode))
      answer.resume()
    })
    const late = setTimeout(() => asked.destroy(new Error(`nothing after ${patience / 1000} s`)), patience)
    signal.addEventListener('abort', () => asked.destroy(), { once: true })
    asked.on('close', () => clearTimeout(late))
    asked.on('error', (error) => end(null, error.code === 'ECONNRESET' ? 'cut off' : error.message))
    asked.end()
  })
}
