import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readModuleFile } from '@gatewright/module-kit'
import t from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { InstalledServer } from '../fixtures/installed-server.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Packages of the registry that the kit depends on; they are packed from the project's own node_modules. */
const FROM_REGISTRY = ['esbuild', `@esbuild/${process.platform}-${process.arch}`, 'typescript', '@types/node', 'undici-types']

t.test(
  'a module is written, checked, built, tested and served with the packages of npm, without a network and without an installed server until it is served',
  async (t) => {
    const server = new InstalledServer(t)
    const folder = server.makeFolder('author')
    const tarballs = server.makeFolder('tarballs')
    const env = {
      PATH: `${dirname(process.execPath)}:${(process.env.PATH ?? '')
        .split(':')
        .filter((each) => !each.includes('node_modules'))
        .join(':')}`,
      HOME: server.folder,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    }
    const run = (command: string, args: readonly string[]) => spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
    execFileSync(process.execPath, [join(ROOT, 'build/module-packages.mjs'), tarballs], { env, stdio: 'pipe' })
    for (const name of FROM_REGISTRY) {
      const argv = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs]
      execFileSync('npm', argv, { cwd: join(ROOT, 'node_modules', name), env, stdio: 'pipe' })
    }
    const packed = globSync('*.tgz', { cwd: tarballs }).map((name) => join(tarballs, name))
    t.equal(packed.length, 3 + FROM_REGISTRY.length)

    const template = join(ROOT, 'packages/module-kit/template')
    for (const name of ['src/index.ts', 'test/hello.test.ts', 'hello.conf']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      copyFileSync(join(template, name), join(folder, name))
    }
    writeFileSync(join(folder, 'package.json'), '{ "name": "mod_hello", "version": "1.0.0", "type": "module" }')
    const base = { extends: '@gatewright/module-kit/tsconfig.json', include: ['src', 'test', 'kit.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(base))
    writeFileSync(
      join(folder, 'kit.ts'),
      "import { buildModule, type BuildModuleOptions } from '@gatewright/module-kit'\nexport const build: (options: BuildModuleOptions) => Promise<{ readonly module: string }> = buildModule\n",
    )
    const installed = run('npm', ['install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', ...packed])
    t.equal(installed.status, 0, installed.stderr)

    const checked = run('npx', ['tsc', '--project', '.'])
    t.equal(checked.status, 0, checked.stdout)
    const built = run('npx', ['gatewright-module', 'build'])
    t.match(built, { status: 0, stderr: /^mod_hello\.mjs: hello_module, built against API \S+, declares no capabilities\n$/ })
    t.match(readModuleFile(join(folder, 'mod_hello.mjs')), { intact: true, stamp: { module: 'hello_module', capabilities: [] } })
    const tested = run('node', ['--test'])
    t.equal(tested.status, 0, tested.stdout)
    t.match(tested.stdout, /pass 3\n/)

    const source = readFileSync(join(folder, 'src/index.ts'), 'utf8')
    writeFileSync(join(folder, 'src/index.ts'), source.replace('request.handler', 'request.handlr'))
    t.match(run('npx', ['gatewright-module', 'build']), { status: 1, stderr: /^src\/index\.ts:\d+:\d+: error TS2551: / })
    writeFileSync(join(folder, 'src/index.ts'), `import { spawn } from 'node:child_process'\nexport { spawn }\n${source}`)
    t.match(run('npx', ['gatewright-module', 'build']), {
      status: 1,
      stderr: /src\/index\.ts:1: .*write capabilities: \['child-process'\]/,
    })

    t.equal((await server.run('apxs', ['-i', '-a', join(folder, 'mod_hello.mjs')])).status, 0)
    const port = await freePort()
    const lines = '<Location "/hello">\nSetHandler hello\nRequire all granted\n</Location>'
    t.teardown(() => server.run('httpd', ['-k', 'stop']))
    const started = await server.run('httpd', ['-C', `Define GATEWRIGHT_PORT ${port}`, '-c', lines])
    t.equal(started.status, 0, started.stderr.join('\n'))
    t.equal(await (await fetch(`http://127.0.0.1:${port}/hello`)).text(), 'The sample page of mod_hello\n')
    t.ok(existsSync(server.path('modules/mod_hello.mjs')))
  },
)
