import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
/** npx uses the Node in PATH. */
const ENV = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  npm_config_offline: 'true',
  NODE_OPTIONS: '',
}

t.test(
  'the package is installed without a network into an empty folder, and npx and the step for GitHub Actions run it',
  async (t) => {
    const folder = t.testdir({
      // Otherwise npm searches parent folders for a project.
      'package.json': '{}',
      site: { '.htaccess': 'Require ip 10\n', '.htexpect': '/f.txt -> 403\n/f.txt from 10.1.2.3 -> 200\n', 'f.txt': 'x' },
    })
    const [file] = execFileSync(process.execPath, [join(ROOT, 'build/npm-package.mjs'), folder], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .slice(-1)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', file], { cwd: folder, env: ENV, stdio: 'pipe' })
    t.strictSame(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['gatewright'],
    )
    const npx = (...argv: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
      spawnSync('npx', ['gatewright', ...argv], { cwd: join(folder, 'site'), env: ENV, encoding: 'utf8' })
    t.match(npx('check', '.'), { status: 0, stdout: /^TAP version 14\n1\.\.3\n/ })
    t.match(npx('explain', '--tree', '.', '/f.txt'), { status: 0, stdout: /403 Forbidden/ })
    writeFileSync(join(folder, 'site/.htaccess'), 'Order deny,allow\nDeny from all\nAllow from 10\n')
    t.match(npx('migrate', '.'), { status: 0, stdout: /\n\+Require ip 10\n/ })
    mkdirSync(join(folder, 'conf'))
    writeFileSync(
      join(folder, 'conf/httpd.conf'),
      `ServerName localhost\nErrorLog /dev/null\nLoadModule authz_core_module modules/mod_authz_core.so\nDocumentRoot "${folder}/site"\n<Directory />\nAllowOverride None\n</Directory>\n`,
    )
    t.match(npx('check', '--config', '../conf/httpd.conf', '--matrix'), { status: 0, stdout: /\/f\.txt +200 +200/ })
    writeFileSync(join(folder, 'site/.htaccess'), 'Require all granted\n')
    const action: { readonly runs: { readonly steps: readonly { readonly run?: string }[] } } = parse(
      readFileSync(join(ROOT, 'conf/ci/action.yml'), 'utf8'),
    )
    const run = action.runs.steps.flatMap((step) => step.run ?? []).join('\n')
    const inputs = { TREE: 'site', OPTIONS: '-D Some --color never', REPORT: 'report.xml', PACKAGE: file }
    const step = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: { ...ENV, ...inputs, npm_config_cache: join(folder, 'cache') },
      encoding: 'utf8',
    })
    t.match(step, { status: 1, stdout: /f\.txt -> 403 {2}site\/\.htexpect:1\n/ }, 'the step fails with what was found')
    t.match(readFileSync(join(folder, 'report.xml'), 'utf8'), /tests="3" failures="1"/)
  },
)
