import t from 'tap'
import { takeRole } from '../src/roles/role.ts'
import { FIRST_SOCKET, roleSpawn } from '../src/roles/role-spawn.ts'

const program = {
  executable: '/usr/bin/node',
  nodeArguments: ['--conditions=x'],
  entry: '/srv/lib/httpd.mjs',
  compileCache: '/srv/cache',
}

t.test('a worker is the same program with the sockets after its channel', (t) => {
  const call = roleSpawn('worker', program, { stdout: 'inherit', stderr: 7 }, [21, 22], { HOME: '/root' })
  t.equal(call.command, '/usr/bin/node')
  t.strictSame(call.args, ['--conditions=x', '--disable-sigusr1', '--trace-sigint', '/srv/lib/httpd.mjs'])
  t.strictSame(call.options.stdio, ['ignore', 'inherit', 7, 'ipc', 21, 22])
  t.strictSame(call.options.stdio?.slice(FIRST_SOCKET), [21, 22])
  t.strictSame(call.options.env, { HOME: '/root', NODE_COMPILE_CACHE: '/srv/cache', GATEWRIGHT_ROLE: 'worker' })
  t.equal(call.options.detached, true, 'no Ctrl-C of a terminal reaches it')
  t.end()
})

t.test('no role uses io_uring, with which a worker would keep the rights of root', (t) => {
  for (const role of ['supervisor', 'reader', 'worker'] as const) {
    const { options } = roleSpawn(role, program, { stdout: 'inherit', stderr: 7 }, [], { UV_USE_IO_URING: '1', HOME: '/root' })
    t.equal(options.env?.['HOME'], '/root')
    t.notOk(Object.hasOwn(options.env ?? {}, 'UV_USE_IO_URING'), role)
  }
  t.end()
})

t.test('a supervisor in the background has a separate session', (t) => {
  const call = roleSpawn('supervisor', { ...program, compileCache: null }, { stdout: 'ignore', stderr: 'ignore' }, [], {})
  t.strictSame(call.args, ['--conditions=x', '/srv/lib/httpd.mjs'], 'it answers the signals')
  t.match(call.options, { detached: true, cwd: '/' })
  t.notOk(Object.hasOwn(call.options.env ?? {}, 'NODE_COMPILE_CACHE'))
  t.end()
})

t.test('the role is taken out of the environment, and means nothing without a parent', (t) => {
  const environment: NodeJS.ProcessEnv = { GATEWRIGHT_ROLE: 'reader', HOME: '/root' }
  t.equal(takeRole(environment, true), 'reader')
  t.strictSame(environment, { HOME: '/root' })
  t.equal(takeRole(environment, true), undefined)
  t.equal(takeRole({ GATEWRIGHT_ROLE: 'worker' }, false), undefined)
  t.equal(takeRole({ GATEWRIGHT_ROLE: 'king' }, true), undefined)
  t.end()
})
