// A random world: a server with hosts, their files and .htaccess files, and requests.
import { random } from '../../conformance/gen/random.mjs'
import { section } from '../../oracle/tree.mjs'
import { ADDRESSES } from '../layout.mjs'
import { access } from './access.mjs'
import { files } from './files.mjs'
import { aliases, around, contents, quoted, urlSettings, variables } from './mapping.mjs'
import { request } from './requests.mjs'
import { rewriting } from './rewriting.mjs'
import { condition, FOLDERS } from './words.mjs'

/**
 * World number `index` of a seed; it does not depend on others.
 * - `allowMethods`: mod_allowmethods is loaded, so that every redirect is authorized again
 * - `oldStyle`: Order, Allow and Deny occur
 * - `main`: nodes of the server's own configuration
 * - `hosts`: `{ name, kind, address, identity, nodes, htaccess, files, requests }`
 */
export function randomWorld(seed, index, { hosts, requests }) {
  const rng = random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const world = {
    allowMethods: rng.chance(0.5),
    oldStyle: rng.chance(0.5),
    logLevel: rng.pick(['warn', 'info', 'warn authz_core:debug']),
    main: [],
    hosts: [],
  }
  world.main = mainNodes(rng, world)
  for (let at = 0; at < hosts; at++) world.hosts.push(randomHost(rng, world, at, requests))
  return world
}

function mainNodes(rng, world) {
  const out = [`ServerName ${rng.pick(['main.test', 'main.test:99', 'localhost', 'main.test:@P@'])}`]
  const granted = rng.chance(0.85)
  out.push(
    section('Directory', '"/"', [
      `AllowOverride ${rng.chance(0.9) ? 'All' : 'None'}`,
      `Require all ${granted ? 'granted' : 'denied'}`,
      `Options ${rng.pick(['All', 'FollowSymLinks', 'Indexes FollowSymLinks', 'All MultiViews', 'None'])}`,
    ]),
  )
  if (rng.chance(0.3)) out.push(section('Files', '".ht*"', ['Require all denied']))
  if (rng.chance(0.5)) out.push('AddHandler type-map .var')
  if (rng.chance(0.5)) out.push('DirectoryIndex index.html')
  if (rng.chance(0.25)) out.push(...variables(rng))
  if (rng.chance(0.15)) out.push(...rewriting(rng, 'server'))
  if (rng.chance(0.12)) out.push(...urlSettings(rng).filter((line) => !line.startsWith('RemoteIP')))
  if (rng.chance(0.06)) out.push(section('Location', '"/"', access(rng, world)))
  if (rng.chance(0.1)) out.push(...contents(rng))
  return out
}

function randomHost(rng, world, at, requests) {
  const name = `h${String(at).padStart(2, '0')}`
  const kind = rng.weighted([
    [16, 'name'],
    [at < ADDRESSES.length ? 6 : 0, 'address'],
    [2, 'port'],
  ])
  const host = {
    name,
    kind,
    ...identity(rng, kind, at),
    nodes: hostNodes(rng, world),
    htaccess: {},
    files: files(rng),
    requests: [],
  }
  const count = rng.weighted([
    [2, 0],
    [4, 1],
    [3, 2],
    [1, 3],
  ])
  for (let more = 0; more < count; more++) {
    const folder = rng.weighted([
      [6, 'docs'],
      [8, `docs${rng.pick(FOLDERS)}`],
      [0.5, 'out'],
    ])
    if (`${folder}/.htaccess` in host.files) continue
    host.htaccess[folder] = [...(host.htaccess[folder] ?? []), ...folderNodes(rng, world, 1 + rng.below(3), { htaccess: true })]
  }
  host.requests = Array.from({ length: requests }, () => request(rng, { kind, address: ADDRESSES[at] }))
  return host
}

/**
 * The selection and name of a host. The name of 127.0.0.1 is known everywhere, so a host there may have no
 * name of its own.
 */
function identity(rng, kind, at) {
  const named = [
    `ServerName ${rng.pick(['@H@.test', '@H@.test', '@H@.test:@P@', '@H@.test:99', 'http://@H@.test', 'https://@H@.test'])}`,
    ...(rng.chance(0.3) ? ['ServerAlias www.@H@.test *.@H@.test'] : []),
  ]
  if (kind === 'address') return { address: `${ADDRESSES[at]}:${rng.pick(['@P@', '@P@', '*'])}`, identity: named }
  if (kind === 'port')
    return { address: `${rng.pick(['*', '_default_', '127.0.0.1'])}:@Q@`, identity: rng.chance(0.6) ? named : [] }
  return { address: rng.pick(['*:@P@', '*:@P@', '*:@P@', '127.0.0.1:@P@', '*:@P@ *:@Q@']), identity: named }
}

function hostNodes(rng, world) {
  const out = []
  const some = (chance, make) => {
    if (rng.chance(chance)) out.push(...make())
  }
  some(0.4, () => urlSettings(rng))
  some(0.5, () => variables(rng))
  some(0.3, () => variables(rng))
  some(0.45, () => rewriting(rng, 'server'))
  some(0.35, () => aliases(rng))
  some(0.2, () => aliases(rng))
  some(0.4, () => contents(rng))
  some(0.3, () => contents(rng))
  if (world.allowMethods && rng.chance(0.15))
    out.push(section('Location', '"/"', [`AllowMethods ${rng.pick(['GET', 'GET POST OPTIONS', 'reset', '-PUT'])}`]))
  if (rng.chance(0.12)) out.push(section('Directory', '"@R@"', [override(rng)]))
  const sections = rng.weighted([
    [2, 1],
    [4, 2],
    [3, 3],
    [1, 4],
  ])
  for (let index = 0; index < sections; index++) {
    const one = around(rng, (byUrl) => folderNodes(rng, world, 1 + rng.below(2), { byUrl }), { nested: false })
    out.push(one, ...alternatives(rng, world, one))
  }
  return shuffled(rng, out)
}

/** `<Else>` and `<ElseIf>` after an `<If>`. */
function alternatives(rng, world, { name }) {
  if (name !== 'If' || rng.chance(0.7)) return []
  const otherwise = section('Else', '', access(rng, world))
  return rng.chance(0.5) ? [otherwise] : [section('ElseIf', quoted(condition(rng)), access(rng, world)), otherwise]
}

function override(rng) {
  return rng.pick([
    'AllowOverride None',
    'AllowOverride AuthConfig Limit',
    'AllowOverride FileInfo',
    'AllowOverride Nonfatal=All',
    'AllowOverride AuthConfig Nonfatal=All',
    'AllowOverride Options=Indexes,MultiViews FileInfo AuthConfig Limit Indexes',
    'AllowOverrideList Require RewriteEngine RewriteRule',
  ])
}

/** Directives for a section or a .htaccess file. */
function folderNodes(rng, world, count, { htaccess = false, depth = 0, byUrl = false }) {
  const out = []
  for (let index = 0; index < count; index++) {
    out.push(
      ...rng.weighted([
        [8, () => access(rng, world)],
        [3, () => rewriting(rng, 'folder')],
        [4, () => contents(rng)],
        [2, () => variables(rng)],
        [depth < 2 ? 4 : 0, () => nestedSections(rng, world, { htaccess, depth, byUrl })],

        [world.allowMethods && !htaccess ? 0.4 : 0, () => [`AllowMethods ${rng.pick(['GET', 'reset', '-GET', 'POST'])}`]],
        [
          htaccess ? 0.6 : 0,
          () => [
            rng.pick([
              'Redirect 302 /old /new',
              'RedirectMatch 403 "^/alt/x"',
              'Redirect gone /priv',
              'RedirectMatch "^/go(.)" "/a.txt"',
            ]),
          ],
        ],
      ])(),
    )
  }
  return out
}

function nestedSections(rng, world, { htaccess, depth, byUrl }) {
  const fill = (inner) => folderNodes(rng, world, 1, { htaccess, depth: depth + 1, byUrl: inner })
  const one = around(rng, fill, { nested: true, byUrl })
  return [one, ...alternatives(rng, world, one)]
}

/**
 * The order of directives and sections has little effect in httpd, which this checks. Alternatives of an
 * `<If>` stay after it.
 */
function shuffled(rng, nodes) {
  if (rng.chance(0.6)) return nodes
  const groups = []
  for (const node of nodes) {
    if (typeof node !== 'string' && /^Else/.test(node.name)) groups.at(-1).push(node)
    else if (typeof node === 'string') groups.push([node])
    else groups.push([node])
  }
  return isRewriting(nodes)
    ? nodes
    : groups
        .map((group) => [rng.below(1000), group])
        .sort(([a], [b]) => a - b)
        .flatMap(([, group]) => group)
}

/** Conditions of rules belong to the rule after them. */
function isRewriting(nodes) {
  return nodes.some((node) => typeof node === 'string' && node.startsWith('RewriteCond'))
}
