// A world as text: the configuration of both servers, and the files that they serve.
import { createHash } from 'node:crypto'
import { chmodSync, lutimesSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { section, toLines } from '../oracle/tree.mjs'

/** Whole seconds since 1970, so that Last-Modified and ETag are the same in every run. */
const FILE_TIME = 1_577_934_245
const USERS = { alice: 'secret', bob: 'b', carol: 'c:d' }
const GROUPS = ['admins: alice', 'staff: bob carol']

/** Addresses that the servers listen on beside 127.0.0.1, each for a host that is chosen by its address. */
export const ADDRESSES = Array.from({ length: 6 }, (_, index) => `127.0.1.${index + 1}`)

/** Replaces the placeholders of a host's texts: its document root, its name, the folder of the world, and the two ports. */
function expander(base, ports, name = 'main') {
  const values = { R: join(base, 'sites', name, 'docs'), H: name, B: base, P: String(ports.P), Q: String(ports.Q) }
  return (text) => text.replaceAll(/@([RHBPQ])@/g, (_, letter) => values[letter])
}

/**
 * The configuration: `{ text, owners }`, where owners[i] is the index of the host that line i + 1 belongs to, or -1.
 * @param head lines that differ between the two servers, as many for either
 */
export function configuration(world, head, { base, ports }) {
  const lines = []
  const owners = []
  const add = (owner, added) => {
    lines.push(...added)
    owners.push(...added.map(() => owner))
  }
  const shared = expander(base, ports)
  add(-1, [...head, ...commonLines(world), ...toLines(world.main)].map(shared))
  for (const [index, host] of world.hosts.entries()) {
    const own = expander(base, ports, host.name)
    add(index, toLines([section('VirtualHost', host.address, [...host.identity, ...ROOT_LINES, ...host.nodes])]).map(own))
  }
  return { text: `${lines.join('\n')}\n`, owners }
}

const ROOT_LINES = ['DocumentRoot "@R@"']

function commonLines({ logLevel }) {
  return [
    'ServerRoot "@B@/run"',
    'Listen 127.0.0.1:@P@',
    'Listen 127.0.0.1:@Q@',
    ...ADDRESSES.map((address) => `Listen ${address}:@P@`),
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error.log',
    'ErrorLogFormat "%{X-Id}i|%{c}a|%-m:%-l|%M"',
    `LogLevel ${logLevel}`,
    'LogFormat "%{X-Id}i|%{remote}p|%U|%s|%>s|%v|%p|%u" door',
    'CustomLog logs/access.log door',
    'DocumentRoot "@R@"',
    'TypesConfig /dev/null',
    'AddType text/html .html',
    'AddType text/plain .txt',
    'AddLanguage en .en',
    'AddLanguage fr .fr',
    'AddEncoding x-gzip .gz',
    'Timeout 10',
    'MaxKeepAliveRequests 100',
  ]
}

/** Writes all files of a world below `base`, over nothing. */
export function writeFiles(world, { base, ports }) {
  const put = (path, content) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, 'latin1')
    lutimesSync(path, FILE_TIME, FILE_TIME)
  }
  const users = Object.entries(USERS).map(
    ([name, password]) => `${name}:{SHA}${createHash('sha1').update(password).digest('base64')}`,
  )
  put(join(base, 'auth/users'), `${users.join('\n')}\n`)
  put(join(base, 'auth/groups'), `${GROUPS.join('\n')}\n`)
  put(join(base, 'sites/main/docs/index.html'), 'main\n')
  for (const host of world.hosts) {
    const expand = expander(base, ports, host.name)
    const root = join(base, 'sites', host.name)
    for (const [name, entry] of Object.entries(host.files)) {
      const path = join(root, latin1(name))
      if (entry.folder) mkdirSync(path, { recursive: true })
      else if (entry.link !== undefined) {
        mkdirSync(dirname(path), { recursive: true })
        symlinkSync(expand(entry.link), path)
        lutimesSync(path, FILE_TIME, FILE_TIME)
      } else put(path, expand(entry.text))
    }
    for (const [folder, nodes] of Object.entries(host.htaccess))
      put(join(root, folder, '.htaccess'), `${toLines(nodes).map(expand).join('\n')}\n`)
    dateFolders(root, Object.keys(host.files))
  }
  chmodSync(base, 0o755)
}

/** A name of which each character is a byte of the name in the file system. */
function latin1(name) {
  return Buffer.from(name, 'latin1').toString('utf8').includes('\ufffd') ? name : Buffer.from(name, 'latin1').toString('utf8')
}

function dateFolders(root, names) {
  const folders = new Set(names.flatMap((name) => ancestors(dirname(name))))
  for (const folder of [...folders].sort().reverse()) lutimesSync(join(root, folder), FILE_TIME, FILE_TIME)
}

function ancestors(folder) {
  return folder === '.' ? [] : [folder, ...ancestors(dirname(folder))]
}

/** The requests of a host as they are sent. */
export function hostRequests(host, { base, ports }) {
  const expand = expander(base, ports, host.name)
  return host.requests.map((request) => ({
    ...request,
    target: expand(request.target),
    fields: request.fields.map(([name, value]) => [name, expand(value)]),
  }))
}

/** Texts of a host for a reader, with the placeholders of paths and ports left as they are. */
export function describeHost(host) {
  const htaccess = Object.entries(host.htaccess).flatMap(([folder, nodes]) => [`# ${folder}/.htaccess`, ...toLines(nodes)])
  return [...toLines([section('VirtualHost', host.address, [...host.identity, ...ROOT_LINES, ...host.nodes])]), ...htaccess]
}

export function removeFiles(base) {
  rmSync(base, { recursive: true, force: true })
}
