// Which package may use which: the arrows of docs/architecture.md, for src/ folders. Tests may import any source.
'use strict'

/** What each package may import of ours: all that its arrows lead to. */
const PACKAGES = {
  api: [],
  'api-2.2': [],
  ipset: [],
  // The texts of system errors.
  dbm: ['api'],
  passwd: [],
  x509: [],
  // Identifiers of certificates in renewal information.
  acme: ['x509'],
  'store-client': ['api'],
  'disk-cache': ['api'],
  tokens: ['api'],
  config: ['api'],
  expr: ['api'],
  http: ['api'],
  http2: ['http', 'api'],
  log: ['api'],
  // It reads responses with the parser of requests.
  upstream: ['http', 'api'],
  fastcgi: ['upstream', 'http', 'api'],
  filters: ['api'],
  ldap: [],
  cgi: ['upstream', 'api'],
  dav: ['api'],
  // core runs password checks in a thread of its own and answers questions about addresses: both from the stateless libraries.
  core: ['config', 'expr', 'http', 'http2', 'log', 'api', 'passwd', 'ipset'],
  mpm: ['core', 'config', 'expr', 'http', 'http2', 'log', 'api'],
  policy: ['core', 'config', 'expr', 'http', 'log', 'api', 'ipset', 'x509'],
  // Configurations are loaded elsewhere: it knows types of core's data only.
  // The extension of VS Code imports the client of the protocol only.
  vscode: [],
  'language-server': ['core', 'config', 'api'],
  // An installed one finds the modules of its server where config_vars.mk says.
  testing: ['core', 'config', 'expr', 'http', 'log', 'api', 'passwd', 'ipset', 'dbm', 'module-kit'],
  // The stamp is written and read in the form that api defines.
  'module-kit': ['api'],
  cli: [
    'mpm',
    'core',
    'config',
    'expr',
    'http',
    'log',
    'api',
    'policy',
    'language-server',
    'module-kit',
    'dbm',
    'disk-cache',
    'passwd',
    'x509',
  ],
}
/** What a module's file may have inside. */
const FOR_MODULES = [
  'api',
  'ipset',
  'dbm',
  'passwd',
  'x509',
  'acme',
  'upstream',
  'http2',
  'fastcgi',
  'filters',
  'ldap',
  'store-client',
  'disk-cache',
  'cgi',
  'dav',
  'tokens',
]

/** The folders of core, lowest first: each imports from those before it. */
const CORE_FOLDERS = [
  'base',
  'work',
  'modules',
  'model',
  'services',
  'response',
  'config',
  'sections',
  'core-module',
  'status',
  'lifecycle',
  'host',
]

/** The folders of policy, each with the folders that it imports from. All may import the files beside the folders, except index.ts. */
const POLICY_FOLDERS = {
  render: [],
  stages: [],
  site: ['stages'],
  mistakes: ['site', 'stages'],
  surprises: ['mistakes', 'stages'],
  explain: ['surprises', 'stages'],
  lint: ['mistakes', 'surprises', 'site', 'stages'],
  prove: ['site', 'stages'],
  // Summaries of logs of AuthzAuditLog.
  audit: ['render'],
  // Lines of logs.
  logs: [],
  diff: ['prove', 'render'],
  oracle: ['prove'],
  migrate: ['site', 'prove'],
  // It reports what migrate would do.
  'upgrade-report': ['migrate', 'site', 'render'],
  check: ['explain', 'prove', 'site', 'stages', 'render'],
}

const OURS = '^(packages|modules)/'
const sources = (name) => `^packages/${name.replace('.', '\\.')}/src/`
const foldersOf = (names) => names.map((name) => `^packages/${name.replace('.', '\\.')}/`)

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'nothing'} of ours${name === 'cli' ? ', and modules that are compiled in' : ''}`,
  severity: 'error',
  from: { path: sources(name) },
  to: { path: OURS, pathNot: [...foldersOf([name, ...allowed]), ...(name === 'cli' ? ['^modules/'] : [])] },
}))

/** One rule for each folder of a package, and one for folders without a rule. @param shared pattern of files that every folder may import */
function folderRules(name, folders, shared = []) {
  const inside = (names) => `${sources(name)}(${names.join('|')})/`
  const rules = Object.entries(folders).map(([folder, allowed]) => ({
    name: `${name}-${folder}-imports`,
    comment: `packages/${name}/src/${folder} may import ${allowed.join(', ') || `no other folder of ${name}`}`,
    severity: 'error',
    from: { path: inside([folder]) },
    to: { path: sources(name), pathNot: [inside([folder, ...allowed]), ...shared] },
  }))
  const unlisted = {
    name: `no-unlisted-${name}-folder`,
    comment: `a new folder of ${name} needs its place in .dependency-cruiser.cjs`,
    severity: 'error',
    from: { path: `${sources(name)}[^/]+/`, pathNot: [inside(Object.keys(folders))] },
    to: {},
  }
  return [...rules, unlisted]
}

const coreFolders = Object.fromEntries(CORE_FOLDERS.map((folder, index) => [folder, CORE_FOLDERS.slice(0, index)]))
const POLICY_FILES = '^packages/policy/src/(?!index\\.ts$)[^/]+$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...packageRules,
    ...folderRules('core', coreFolders),
    ...folderRules('policy', POLICY_FOLDERS, [POLICY_FILES]),
    {
      name: 'policy-files-imports',
      comment: 'all folders of policy share the files beside them, which import no folder',
      severity: 'error',
      from: { path: POLICY_FILES },
      to: { path: '^packages/policy/src/[^/]+/' },
    },
    {
      name: 'no-unlisted-package',
      comment: 'a new package needs a line in .dependency-cruiser.cjs',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: Object.keys(PACKAGES).map(sources) },
      to: {},
    },
    {
      name: 'module-imports',
      comment: `a module imports ${FOR_MODULES.join(', ')} and its own files; what it needs of the host comes through api`,
      severity: 'error',
      from: { path: '^modules/([^/]+)/src/' },
      to: { path: OURS, pathNot: ['^modules/$1/', ...foldersOf(FOR_MODULES)] },
    },
    {
      name: 'not-into-a-package',
      comment: 'packages import each other by name, never by a path into src',
      severity: 'error',
      from: { path: '^(packages|modules)/([^/]+)/src/' },
      to: { path: OURS, pathNot: ['^$1/$2/'], dependencyTypes: ['local'] },
    },
    {
      name: 'no-tests-in-sources',
      severity: 'error',
      from: { path: '/src/' },
      to: { path: '/test/' },
    },
    {
      name: 'own-test-folder',
      comment: 'tests of different packages and modules share helpers through packages/testing',
      severity: 'error',
      from: { path: '^(packages|modules)/([^/]+)/test/' },
      to: { path: '^(packages|modules)/[^/]+/test/', pathNot: ['^$1/$2/test/'] },
    },
    {
      name: 'unlisted-dependency',
      comment: "a package that is imported stands in the importing package's own package.json",
      severity: 'error',
      from: { path: '^(packages|modules)/[^/]+/src/' },
      to: { path: 'node_modules/', dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      from: { path: '^(packages|modules)/[^/]+/src/' },
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
    {
      name: 'no-cycles',
      comment: 'types may refer to each other, values may not',
      severity: 'error',
      from: { path: '^(packages|modules)/[^/]+/src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    exclude: { path: '(^|/)(dist|\\.tap)/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['gatewright-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
}
