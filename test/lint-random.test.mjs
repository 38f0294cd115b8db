import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileSource, TextSource } from '@gatewright/core'
import { lint, PolicyServer, RULES } from '@gatewright/policy'
import t from 'tap'
import { Random } from './fixtures/random.ts'
import { policyOf } from './oracle/campaign.mjs'
import { configuration, policyFiles } from './oracle/layout.mjs'
import { ConfigGenerator, placed } from './oracle-migrate/config-generator.ts'

const MODULES = await Promise.all(
  ['access_compat', 'alias', 'auth_basic', 'authn_core', 'authn_dbm', 'authn_file', 'authz_core', 'authz_dbm', 'authz_groupfile']
    .concat(['authz_host', 'authz_user', 'dir', 'env', 'log_config', 'macro', 'setenvif', 'version'])
    .map(async (name) => (await import(`mod_${name}`)).default),
)
const CASES = 24
const CASES_OF_SATISFY = 40
const MIGRATE_SEED = 900
const ORACLE_SEED = 77
/** The statuses of requests that are denied. */
const KEPT_OUT = new Set([401, 403, 407, 500])
/** Errors of these rules are about places that are open. */
const ERRORS = new Set(RULES.filter(({ severity, isConfirmed }) => severity === 'error' && isConfirmed).map(({ id }) => id))

t.test('findings in random configurations of 2.2 match the decisions of a separate server', async (t) => {
  const counts = await countFindings(t, oldSite)
  t.ok(counts.loaded > CASES / 2, `${counts.loaded} configurations`)
  t.ok(
    counts.rules.size >= 5,
    `${[...counts.rules]
      .map(([rule, count]) => `${rule} ${count}`)
      .sort()
      .join(', ')}`,
  )
})

t.test('findings in random policies of the oracle match the decisions of a separate server', async (t) => {
  const counts = await countFindings(t, (index, root) => {
    const policy = policyOf(ORACLE_SEED, index, { modules: ['authz_core', 'access_compat'], requests: 1 })
    const { lines } = configuration([], [policy])
    const files = Object.entries(policyFiles(policy, 0)).map(([name, text]) => [
      `docs/${name}`,
      text.replaceAll('@DOCROOT@', `${root}/docs`),
    ])
    return {
      files: Object.fromEntries(files),
      config: lines.join('\n').replaceAll('@DOCROOT@', `${root}/docs`).replaceAll('@ROOT@', root).replaceAll('@PORT@', '80'),
    }
  })
  t.ok(counts.loaded > CASES / 2, `${counts.loaded} configurations`)
  t.ok(
    counts.rules.size >= 3,
    `${[...counts.rules]
      .map(([rule, count]) => `${rule} ${count}`)
      .sort()
      .join(', ')}`,
  )
})

t.test('if Satisfy Any overrides a denial, Satisfy All makes it effective', async (t) => {
  let undone = 0
  for (let index = 0; index < CASES_OF_SATISFY; index++) {
    const { root, files, config } = layOut(t, index, oldSite)
    const server = await open(root, config)
    if (server === null) continue
    const found = (await lint(server)).filter(({ rule }) => rule === 'GW001')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), satisfyAll(text))
    const all = found.length === 0 ? null : await open(root, satisfyAll(config))
    for (const { request, message } of found) {
      const { response } = await all.ask(request.question)
      t.ok(KEPT_OUT.has(response.status), `${index}: ${message}: ${response.status}`)
      undone++
    }
  }
  t.ok(undone >= 3, `${undone} denials`)
})

/** A configuration of 2.2 that the generator of migrate makes. */
function oldSite(index, root) {
  const made = placed(new ConfigGenerator(new Random(MIGRATE_SEED + index)).config('p'), root, 'docs')
  const included = Object.entries(made.included).map(([name, text]) => [`docs/${name}`, text])
  const accessFiles = Object.entries(made.accessFiles).map(([folder, text]) => [`docs/${folder}/.htaccess`, text])
  const files = {
    'docs/p/f.txt': 'x',
    'docs/p/a/f.inc': 'x',
    'docs/p/a/b/f.txt': 'x',
    'docs/p/c/f.txt': 'x',
    ...Object.fromEntries([...included, ...accessFiles]),
  }
  return { files, config: made.sections }
}

function layOut(t, index, make) {
  const root = t.testdir({ logs: {}, users: 'bob:x\nalice:x\n', groups: 'staff: alice\n' })
  const { files, config } = make(index, root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return { root, files, config }
}

function satisfyAll(text) {
  return text.replace(/Satisfy any/gi, 'Satisfy All')
}

async function countFindings(t, make) {
  const counts = { loaded: 0, rules: new Map() }
  for (let index = 0; index < CASES; index++) {
    const { root, config } = layOut(t, index, make)
    const server = await open(root, config)
    if (server === null) continue
    counts.loaded++
    const findings = await lint(server)
    const other = findings.length === 0 ? null : await open(root, config)
    for (const { rule, request } of findings) {
      counts.rules.set(rule, (counts.rules.get(rule) ?? 0) + 1)
      if (request === undefined) continue
      const { response } = await other.ask(request.question)
      t.equal(response.status, request.status, `${index}: ${rule} ${request.curl}`)
      if (ERRORS.has(rule)) t.notOk(KEPT_OUT.has(response.status), `${index}: ${rule} is open: ${response.status}`)
    }
  }
  return counts
}

/** null for a configuration that does not load: some of the oracle's are wrong on purpose. */
async function open(root, config) {
  const configFile = join(root, 'case.conf')
  try {
    return await PolicyServer.open({
      program: 'test',
      serverRoot: root,
      configFile,
      defines: [],
      before: [
        'ServerName localhost',
        'Listen 80',
        `DocumentRoot "${root}/docs"`,
        `<Directory "${root}/docs">`,
        'AllowOverride All',
        '</Directory>',
      ],
      after: [],
      source: new TextSource(new Map([[configFile, config]]), new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: MODULES,
      skipDocumentRootCheck: true,
      names: { hostsFile: '/dev/null', servers: ['127.0.0.1:9'], patience: 50 },
    })
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'ConfigError') return null
    throw error
  }
}
