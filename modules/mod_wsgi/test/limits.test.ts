import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { applications, logged, type Site, skip, until } from './support.ts'

const SCRIPT = `
import os, re, sys, time
def application(environ, start_response):
    kind = environ['PATH_INFO'].strip('/')
    if kind == 'memory':
        data = bytearray(1500 * 1000 * 1000)
    if kind == 'busy':
        while True:
            pass
    if kind == 'slow':
        time.sleep(4)
    if kind == 'stuck':
        re.match('(a+)+$', 'a' * 60 + 'b')
    start_response('404 Nowhere' if kind == 'missing' else '200 OK', [('Content-Type', 'text/plain')])
    return [('%d %s' % (os.getpid(), sys.prefix)).encode()]
`

/** A server with an application at `/l` in a process group with options. */
function limited(t: Test, options: string, more = '', script = SCRIPT): Promise<Site> {
  const lines = `WSGIDaemonProcess l threads=1 shutdown-timeout=1 ${options}
WSGIScriptAlias /l @ROOT@/apps/limits.wsgi process-group=l application-group=%{GLOBAL}
${more}\n`
  return applications(t, lines, { 'apps/limits.wsgi': script })
}

const processOf = async (server: Site): Promise<string> => (await server.inject('/l/pid')).body.split(' ')[0]

for (const option of ['memory-limit', 'virtual-memory-limit'])
  t.test(`an application gets no more memory than ${option}`, { skip }, async (t) => {
    const server = await limited(t, `${option}=800000000`)
    const pid = await processOf(server)
    t.equal((await server.inject('/l/memory')).status, 500)
    t.ok(await logged(server, /MemoryError/))
    t.equal(await processOf(server), pid, 'the process serves on')
  })

t.test('a process that used its cpu-time-limit is replaced', { skip }, async (t) => {
  const server = await limited(t, 'cpu-time-limit=2')
  const pid = await processOf(server)
  t.equal((await server.inject('/l/busy')).status, 500)
  t.ok(await logged(server, /Shutdown requested/))
  t.not(await processOf(server), pid)
})

t.test('a process without requests ends after inactivity-timeout, and the next request is served', { skip }, async (t) => {
  const server = await limited(t, 'inactivity-timeout=1')
  const pid = await processOf(server)
  t.ok(await logged(server, /Daemon process inactivity timer expired, stopping process 'l'\.$/))
  t.ok(await until(async () => (await processOf(server)) !== pid))
})

t.test('a script that does not load within startup-timeout is loaded by another process', { skip }, async (t) => {
  const script = `import os, time
if not os.path.exists(__file__ + '.tried'):
    open(__file__ + '.tried', 'w').close()
    time.sleep(1000)
${SCRIPT}`
  const server = await limited(t, 'startup-timeout=1', '', script)
  t.equal((await server.inject('/l/pid')).status, 200)
  t.ok(await logged(server, /Application startup timer expired, stopping process 'l'\.$/))
})

t.test('a request that waits longer than queue-timeout for a thread is a 504', { skip }, async (t) => {
  const server = await limited(t, 'queue-timeout=1')
  await processOf(server)
  const answers = await Promise.all([server.inject('/l/slow'), server.inject('/l/slow')])
  t.same(answers.map(({ status }) => status).sort(), [200, 504])
  t.ok(await logged(server, /Queue timeout expired for WSGI daemon process 'l': /))
})

t.test('a process that holds the lock of Python longer than deadlock-timeout is killed', { skip }, async (t) => {
  const server = await limited(t, 'deadlock-timeout=2')
  const pid = await processOf(server)
  t.equal((await server.inject('/l/stuck')).status, 500)
  t.ok(await logged(server, /Daemon process deadlock timer expired, stopping process 'l'\.$/))
  t.not(await processOf(server), pid)
})

t.test('with WSGIErrorOverride, the page of the server replaces that of the application', { skip }, async (t) => {
  const server = await limited(t, '', '<Location /l>\nWSGIErrorOverride On\n</Location>')
  const overridden = await server.inject('/l/missing')
  t.equal(overridden.status, 404)
  t.match(overridden.body, /<title>404 Not Found<\/title>/)
  t.equal((await server.inject('/l/pid')).status, 200)
})

t.test('an application runs in the virtual environment of python-home', { skip }, async (t) => {
  const home = `${t.testdir()}/venv`
  t.equal(spawnSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', home]).status, 0)
  const server = await limited(t, `python-home=${home}`)
  t.equal((await server.inject('/l/pid')).body.split(' ')[1], home)
})
