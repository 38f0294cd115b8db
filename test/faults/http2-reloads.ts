import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { gone } from '../fixtures/processes.ts'
import { MODULES } from '../fixtures/staged-server.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import { Http2Tally } from '../load/http2-tally.ts'
import { http2Visitors } from '../load/http2-visitors.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** The numbers of workers that generations have in turn. */
const SIZES = [2, 1] as const

/** Right answers between two reloads. */
const BETWEEN = 100

/** Failures that are shown. */
const SHOWN = 5

/**
 * Reloads the configuration while clients have many streams under way: Node's, nghttp, curl and one of Python, as far as
 * they are installed. None of their requests may fail, and none may be answered twice.
 */
export const http2Reloads: Experiment = {
  name: 'reloads under HTTP/2',
  async run(owner, times, progress) {
    const secured = await freePort()
    const site = await ServerUnderLoad.serve(owner, {
      workers: SIZES[0],
      lines: linesOf(secured),
      prepare: (server) => void new TlsAuthority(server.path('tls'), 'Authority').issue('localhost', { hosts: ['localhost'] }),
    })
    const { server } = site
    const origins = { plain: server.port, secured }
    const tally = new Http2Tally()
    const stop = new AbortController()
    const { visitors, missing } = http2Visitors()
    const visits = visitors.map((visitor) => visitor.visit(origins, tally, stop.signal))
    const former = new Set<number>()
    try {
      await tally.more(BETWEEN)
      for (let done = 1; done <= times; done++) {
        site.resize(SIZES[done % SIZES.length])
        for (const pid of await site.reload('SIGUSR1')) former.add(pid)
        await tally.more(BETWEEN)
        progress(done, tally.report())
      }
    } finally {
      stop.abort()
      await Promise.all(visits)
    }
    const report = tally.report()
    const generations = site.generations()
    const ended = await server.stop()
    await gone([...former])
    const logged = new Map<number, number>()
    for (const id of site.loggedIds()) logged.set(id, (logged.get(id) ?? 0) + 1)
    const lost = [...tally.right].filter((id) => !logged.has(id))
    const twice = [...logged].filter(([, count]) => count > 1)
    return {
      load: report,
      figures: {
        generations,
        clients: visitors.length,
        'clients that are not installed': missing.length,
        'GOAWAY received': tally.goaways,
        'requests sent again after they were refused': tally.retried,
        'lines lost': lost.length,
        'lines twice': twice.length,
      },
      checks: [
        nothingFailed(report),
        check(
          `no stream failed${tally.failures.length === 0 ? '' : `: ${tally.failures.slice(0, SHOWN).join('; ')}`}`,
          tally.failures.length === 0,
        ),
        check('each reload makes a generation', generations === times + 1),
        check('clients were asked to leave', tally.goaways > 0),
        check('each answer is in the access log once', lost.length + twice.length === 0),
        check('the server ends with status 0 and without a word', ended?.status === 0 && ended.stderr.length === 0),
      ],
    }
  },
}

/** The same site in the clear and with TLS. */
function linesOf(secured: number): readonly string[] {
  return [
    `LoadModule http2_module ${join(MODULES, 'mod_http2.so')}`,
    `LoadModule ssl_module ${join(MODULES, 'mod_ssl.so')}`,
    'Protocols h2 h2c http/1.1',
    `Listen 127.0.0.1:${secured}`,
    `<VirtualHost *:${secured}>`,
    'SSLEngine on',
    'SSLCertificateFile tls/localhost.crt',
    'SSLCertificateKeyFile tls/localhost.key',
    '</VirtualHost>',
  ]
}
