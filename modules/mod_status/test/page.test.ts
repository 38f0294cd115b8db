import type { RequestStatus, ServerStatus } from '@gatewright/api/status'
import { type InjectedResponse, type InjectOptions, site, withServices } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import status from '../src/index.ts'
import type { Detail } from '../src/options.ts'
import { statusPage } from '../src/page.ts'
import { summarize } from '../src/summary.ts'
import { fakeRequestStatus, fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

function page(shown: ServerStatus, seconds = 25, detail: Detail = 'table'): string {
  const context = {
    status: shown,
    summary: summarize(shown, STARTED_AT + seconds * 1000),
    serverName: '127.0.0.1',
    banner: 'Gatewright/0.1.0',
  }
  return statusPage(context, { localAddress: '127.0.0.1', signature: '<hr />\n<address>foot</address>\n', detail })
}

/** The parts of the page that the recorded answers of httpd preserve. */
function skeleton(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^<dt>[A-Z]/.test(line) || /^<dt>.*currently being processed/.test(line))
    .map((line) => line.replace(/^(<dt>[^:<\n]*:?).*/, '$1').replace(/^<dt>\d+ requests.*/, '<dt>N requests'))
}

const LINES = [
  '<dt>Server MPM:',
  '<dt>Server Built:',
  '<dt>Current Time:',
  '<dt>Restart Time:',
  '<dt>Parent Server Config. Generation:',
  '<dt>Parent Server MPM Generation:',
  '<dt>Server uptime:',
  '<dt>Server load:',
]

t.test('the parts of the page are in the recorded order', async (t) => {
  for (const detail of ['table', 'list'] as const) {
    t.same(skeleton(page(fakeStatus(), 25, detail)), [...LINES, '<dt>Total accesses:', '<dt>CPU Usage:', '<dt>N requests'])
  }
  const marks = [
    '<!DOCTYPE HTML PUBLIC',
    '<html><head>\n<title>Apache Status</title>\n',
    '</head><body>\n<h1>Apache Server Status for 127.0.0.1 (via 127.0.0.1)</h1>\n\n<dl><dt>Server Version: ',
    '</dt></dl><hr /><dl>\n',
    '<table rules="all"',
    '<pre>',
    '<p>Scoreboard Key:<br />',
    '<table border="0">',
    ' <hr /> <table>',
    '<address>foot</address>\n</body></html>\n',
  ]
  const text = page(fakeStatus())
  const places = marks.map((mark) => text.indexOf(mark))
  t.ok(places.every((place) => place >= 0))
  t.same(
    places,
    [...places].sort((a, b) => a - b),
  )
})

t.test("the lines of numbers are httpd's", async (t) => {
  const workers = [fakeWorker({ accesses: 19, bytes: 39_936, duration: 9, cpuUser: 0.01, busy: 1 }), fakeWorker({ slot: 1 })]
  const text = page(fakeStatus({ workers, load: [0.92, 0.37, 0.19] }))
  t.match(text, '<dt>Server uptime:  25 seconds</dt>\n<dt>Server load: 0.92 0.37 0.19</dt>\n')
  t.match(text, '<dt>Total accesses: 19 - Total Traffic: 39 kB - Total Duration: 9</dt>\n')
  t.match(text, '<dt>CPU Usage: u.01 s0 cu0 cs0 - .04% CPU load</dt>\n')
  t.match(text, '<dt>.76 requests/sec - 1597 B/second - 2101 B/request - .473684 ms/request</dt>\n')
  t.match(text, '<dt>1 requests currently being processed, 0 workers gracefully restarting, 49 idle workers</dt>\n</dl>\n')
  t.match(page(fakeStatus(), 0), '<dt>CPU Usage: u.01 s0 cu0 cs0</dt>\n<dt>2633 B/request - .428571 ms/request</dt>\n')
})

t.test('the connection table has a row per process and their sums', async (t) => {
  const workers = [
    fakeWorker({ pid: 17_840, stopping: true, connections: 4, closing: 2 }),
    fakeWorker({ slot: 1, pid: 20_823, generation: 1, busy: 1 }),
  ]
  const text = page(fakeStatus({ workers, mpmGeneration: 1, threadsPerWorker: 8, maxRequestWorkers: 16 }))
  t.match(
    text,
    '<tr><td>0</td><td>17840</td><td>yes (old gen)</td><td>4</td><td>no</td><td>0</td><td>0</td><td>0</td><td>0</td><td>0</td><td>0</td><td>2</td></tr>\n',
  )
  t.match(
    text,
    '<tr><td>1</td><td>20823</td><td>no</td><td>0</td><td>yes</td><td>1</td><td>0</td><td>7</td><td>0</td><td>0</td><td>0</td><td>0</td></tr>\n',
  )
  t.match(
    text,
    '<tr><td>Sum</td><td>2</td><td>1</td><td>4</td><td>&nbsp;</td><td>1</td><td>0</td><td>7</td><td>0</td><td>0</td><td>0</td><td>2</td></tr>\n',
  )
})

t.test('the scoreboard breaks after 64 letters', async (t) => {
  t.match(page(fakeStatus()), /<pre>[_W]{50}\.{14}\n\.{64}\n\.{22}<\/pre>\n/)
})

function withRequest(request: Partial<RequestStatus>): ServerStatus {
  return fakeStatus({ workers: [fakeWorker({ requests: [fakeRequestStatus(request)] })] })
}

t.test('a request is a row of the table', async (t) => {
  t.match(
    page(withRequest({})),
    `<tr><td><b>0-0</b></td><td>8623</td><td>0/1/1</td><td>_
</td><td>0.00</td><td>24</td><td>0</td><td>0</td><td>0.0</td><td>0.00</td><td>0.00
</td><td>127.0.0.1</td><td>http/1.1</td><td nowrap>127.0.0.1:8300</td><td nowrap>GET /manual/foo HTTP/1.1</td></tr>`,
  )
  t.match(
    page(withRequest({ state: 'W', connectionAccesses: 1, connectionBytes: 1536, slotBytes: 3_145_728 })),
    '<td>1/1/1</td><td><b>W</b>\n</td>',
  )
  t.match(page(withRequest({ connectionBytes: 1536, slotBytes: 3_145_728 })), '<td>1.5</td><td>3.00</td><td>3.00\n</td>')
})

t.test('data from clients is escaped for the log and then for HTML', async (t) => {
  const text = page(withRequest({ requestLine: 'GET /a.txt?<x>&"q\u00e9 HTTP/1.1', client: '<b>', vhost: '"v"' }))
  t.match(text, '<td nowrap>GET /a.txt?&lt;x&gt;&amp;\\&quot;q\\xe9 HTTP/1.1</td>')
  t.match(text, '<td>&lt;b&gt;</td>')
  t.match(text, '<td nowrap>&quot;v&quot;</td>')
})

t.test('a request is a paragraph of the list', async (t) => {
  t.match(
    page(withRequest({}), 25, 'list'),
    `<hr /><h2>Server Details</h2>

<b>Server 0-0</b> (8623): 0|1|1 [Ready] u0 s0 cu0 cs0
 24 0 0(0 B|562 B|562 B)
 <i>127.0.0.1 {GET /manual/foo HTTP/1.1}</i> <i>(http/1.1)</i> <b>[127.0.0.1:8300]</b><br />
`,
  )
  t.match(page(withRequest({ state: 'W' }), 25, 'list'), '[<b>Write</b>]')
})

t.test('without ExtendedStatus the processes of the letters are listed', async (t) => {
  const shown = fakeStatus({ extended: false, threadsPerWorker: 5, maxRequestWorkers: 10, workers: [fakeWorker({ busy: 1 })] })
  const text = page(shown)
  t.match(
    text,
    'PID Key: <br />\n<pre>\n   8623 in state: W ,   8623 in state: _ ,   8623 in state: _ \n   8623 in state: _ ,   8623 in state: _ ,\n</pre>\n',
  )
  t.match(text, '<code>ExtendedStatus On</code>')
  t.notMatch(text, 'Total accesses')
  t.notMatch(text, '<table border="0">')
})

interface Asked extends Partial<InjectOptions> {
  readonly query?: string
  /** Lines of the location instead of `SetHandler server-status`. */
  readonly lines?: string
}

/** The response of a server whose status is that of the sample. */
async function answered(t: Test, { query, lines = 'SetHandler server-status', ...rest }: Asked): Promise<InjectedResponse> {
  const module = withServices(status, {
    status: async () => fakeStatus(),
    serverSignature: (_request, prefix) => `${prefix}foot`,
  })
  const server = await site({
    modules: [authzCore, module],
    config: `ServerName host.test\n<Location /s>\n${lines}\n</Location>`,
  })
  t.teardown(() => server.close())
  return server.inject({ target: query === undefined ? '/s' : `/s?${query}`, localAddress: '192.0.2.1', ...rest })
}

t.test('the handler handles its name and its type, for GET and HEAD', async (t) => {
  const response = await answered(t, { headers: { Host: 'host.test' } })
  t.equal(response.status, 200)
  t.equal(response.header('Content-Type'), 'text/html; charset=ISO-8859-1')
  t.match(response.body, '<h1>Apache Server Status for host.test (via 192.0.2.1)</h1>')
  t.match(response.body, /<hr \/>\nfoot<\/body><\/html>\n$/)
  t.match(await answered(t, { method: 'HEAD' }), { status: 200, body: '' })
  t.equal((await answered(t, { lines: 'ForceType application/x-httpd-status\nSetHandler None' })).status, 200)
  t.equal((await answered(t, { lines: 'SetHandler other' })).status, 404)
  t.equal((await answered(t, { method: 'POST' })).status, 404)
})

const QUERIES: readonly (readonly [query: string, type: 'html' | 'plain', refresh: string | undefined])[] = [
  ['auto', 'plain', undefined],
  ['noauto', 'plain', undefined],
  ['AUTO', 'html', undefined],
  ['notable', 'html', undefined],
  ['notable&auto', 'plain', undefined],
  ['refresh', 'html', '10'],
  ['refresh=', 'html', '10'],
  ['refresh=5', 'html', '5'],
  ['refresh=0', 'html', '10'],
  ['refresh=-3', 'html', '10'],
  ['refresh=abc', 'html', '10'],
  ['refresh=1x', 'html', '1'],
  ['xrefresh=4', 'html', '4'],
  ['REFRESH=4', 'html', undefined],
  ['refresh=7,auto', 'plain', '7'],
]

for (const [query, type, refresh] of QUERIES) {
  t.test(`?${query} answers ${type}${refresh === undefined ? '' : ` and Refresh: ${refresh}`}`, async (t) => {
    const response = await answered(t, { query })
    t.equal(response.header('Content-Type'), `text/${type}; charset=ISO-8859-1`)
    t.equal(response.header('Refresh'), refresh)
  })
}

const FORMS: readonly (readonly [query: string, type: string])[] = [
  ['json', 'application/json'],
  ['refresh=5&json', 'application/json'],
  ['metrics', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
  ['json&auto', 'text/plain; charset=ISO-8859-1'],
  ['metrics;notable', 'text/html; charset=ISO-8859-1'],
  ['jsonp', 'text/html; charset=ISO-8859-1'],
  ['metrics=', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
  ['refresh=json', 'text/html; charset=ISO-8859-1'],
]

for (const [query, type] of FORMS) {
  t.test(`?${query} answers ${type}, and forms for programs are not cached`, async (t) => {
    const response = await answered(t, { query })
    t.equal(response.header('Content-Type'), type)
    const forHttpdToo = type === 'text/plain; charset=ISO-8859-1' || type === 'text/html; charset=ISO-8859-1'
    t.equal(response.header('Cache-Control'), forHttpdToo ? undefined : 'no-store')
  })
}

t.test('a client that prefers metrics gets them without a query, but not if the query selects another form', async (t) => {
  const ask = (query?: string): Promise<InjectedResponse> =>
    answered(t, { query, headers: { Accept: 'text/plain;version=0.0.4' } })
  const metrics = await ask()
  t.equal(metrics.header('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.equal(metrics.header('Vary'), 'Accept')
  t.equal((await ask('auto')).header('Content-Type'), 'text/plain; charset=ISO-8859-1')
  t.equal((await ask('notable')).header('Content-Type'), 'text/html; charset=ISO-8859-1')
})

t.test("the module has no directives: ExtendedStatus is core's", async (t) => {
  t.equal(status.directives, undefined)
})
