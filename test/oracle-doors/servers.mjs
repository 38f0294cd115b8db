// The two servers, and one run of either with a world.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '../conformance/lib/server.mjs'
import { ROOT } from '../oracle/sides.mjs'
import { askAll } from './client.mjs'
import { configuration, hostRequests } from './layout.mjs'

const MODULES = [
  'authn_core',
  'authn_file',
  'authn_anon',
  'authz_core',
  'authz_host',
  'authz_user',
  'authz_groupfile',
  'auth_basic',
  'access_compat',
  'setenvif',
  'env',
  'headers',
  'mime',
  'negotiation',
  'autoindex',
  'dir',
  'alias',
  'userdir',
  'rewrite',
  'remoteip',
  'log_config',
]
const APACHE_LINES = [
  'LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so',
  'Mutex posixsem',
  'DefaultRuntimeDir "@B@/run/logs"',
  'StartServers 2',
  'ServerLimit 2',
  'ThreadsPerChild 25',
  'MaxRequestWorkers 50',
  'MinSpareThreads 1',
  'MaxSpareThreads 50',
]

/**
 * Both servers. A child of httpd ends at a crash and takes its other requests with it, so hosts are asked one after the other.
 * @param moduleDir our modules, if not those of dist/
 * @param program our program, if not that of dist/
 */
export function bothServers({ moduleDir = join(ROOT, 'dist/modules'), program = join(ROOT, 'dist/bin/httpd') } = {}) {
  return [
    {
      name: 'httpd',
      server: new Server({ command: 'apache2', moduleDir: '/usr/lib/apache2/modules' }),
      lines: () => APACHE_LINES,
    },
    {
      name: 'ours',
      server: new Server({ command: program, moduleDir }),
      lines: ({ oldStyle }) =>
        APACHE_LINES.map((_, index) =>
          index === 0 && oldStyle
            ? 'AccessCompatPrecedence httpd'
            : index === 1
              ? 'StartServers 1'
              : index === 2
                ? 'ServerLimit 1'
                : '#',
        ),
    },
  ]
}

function head(side, world) {
  const names = world.allowMethods ? [...MODULES, 'allowmethods'] : MODULES
  // What a line before the modules needs of them comes after them.
  return ['User www-data', 'Group www-data', ...names.map(side.server.loadModule), ...side.lines(world)]
}

/** Writes the configuration for one server; `{ file, owners }`. */
function writeConfiguration(side, world, place) {
  const { text, owners } = configuration(world, head(side, world), place)
  const file = join(place.base, `${side.name}.conf`)
  writeFileSync(file, text, 'latin1')
  return { file, owners }
}

/** The result of `-t` for a world: `{ exit, text, owner }`, in which owner is the host that the message names, or -1. */
export async function check(side, world, place) {
  const { file, owners } = writeConfiguration(side, world, place)
  const run = join(place.base, 'run')
  mkdirSync(join(run, 'logs'), { recursive: true })
  const { exit, stderr } = await side.server.check(run, file, ['-t'])
  const line = /on line (\d+) of \S+\.conf/.exec(stderr)?.[1]
  // Warnings in front of it are lines of a log.
  const all = stderr.split('\n').filter((each) => each !== '' && !each.startsWith('hint: ') && !each.startsWith('['))
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((each) => /Syntax error/.test(each)),
    ),
  )
  return {
    exit,
    text: lines.join('\n').replaceAll(file, 'httpd.conf'),
    owner: line === undefined ? -1 : owners[Number(line) - 1],
  }
}

/**
 * Starts a server with a world, sends all requests and stops it. Resolves to `{ answers, logs }`: by host a
 * list of answers (null for a host whose requests were lost), and the bytes of both logs.
 * @param skip hosts that get no requests
 */
export async function serve(side, world, place, { running, skip = new Set() }) {
  const { base, ports } = place
  const { file } = writeConfiguration(side, world, place)
  const run = join(base, 'run')
  rmSync(run, { recursive: true, force: true })
  mkdirSync(join(run, 'logs'), { recursive: true })
  const started = await side.server.start(run, file, ports.P)
  running.add(started.child.pid)
  const answers = []
  const used = new Set()
  let count = 0
  try {
    let firstId = 0
    for (const [index, host] of world.hosts.entries()) {
      const requests = hostRequests(host, place)
      if (!skip.has(index)) {
        answers[index] = await askAll(requests, { ports, firstId, giveUp: side.name === 'httpd', used })
        count += answers[index]?.length ?? 0
      }
      firstId += requests.length
    }
    await until(() => lineCount(join(run, 'logs/access.log')) >= count)
  } finally {
    await side.server.stop(started)
    running.delete(started.child.pid)
  }
  const kept = join(base, `run-${side.name}`)
  rmSync(kept, { recursive: true, force: true })
  renameSync(run, kept)
  return { answers, access: readLog(join(kept, 'logs/access.log')), error: readLog(join(kept, 'logs/error.log')) }
}

async function until(met, milliseconds = 1500) {
  const deadline = performance.now() + milliseconds
  while (!met() && performance.now() < deadline) await sleep(10)
}

/** A log's bytes, none if the server did not create it. A log of a crashing httpd can be longer than a string may be. */
function readLog(file) {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

function lineCount(file) {
  let count = 0
  for (const byte of readLog(file)) if (byte === 10) count++
  return count
}
