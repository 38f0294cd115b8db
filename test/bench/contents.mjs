// Scenarios of contents that are made or kept: programs, pages with includes, compressed texts, cached files, and documents of WebDAV.
// They are the same for httpd and for us.
import { ADMITTED } from './networks.mjs'

const GATE = { httpd: { directory: [`Require ip ${ADMITTED}`] } }
const MIB = 1 << 20
/** Lines that differ, as those of a page do. */
const TEXT = Array.from(
  { length: 1_100 },
  (_, index) => `<p>Line ${index} of this text has the number ${(index * 7_919) % 10_007}.</p>`,
).join('\n')
const PROGRAM = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nhello\\n'\n"
const PAGE =
  '<h1>Page</h1>\n<!--#set var="name" value="x" -->\n<!--#include virtual="/small.html" -->\n<!--#echo var="name" -->\n'

/** @returns {object[]} scenarios */
export function contents() {
  return [
    scenario({
      name: 'cgi',
      title: 'a CGI program, /bin/sh: a process for each request',
      ask: { path: '/hello.cgi', headers: {}, status: 200, length: 6 },
      connections: 4,
      files: [{ name: 'hello.cgi', content: PROGRAM, mode: 0o755 }],
      modules: ['cgid'],
      directory: ['Options +ExecCGI', 'AddHandler cgi-script .cgi'],
      server: ['ScriptSock "@ROOT@/logs/cgisock"'],
    }),
    scenario({
      name: 'ssi',
      title: 'a page with includes: set, include virtual of 1 KiB, echo',
      ask: { path: '/ssi.shtml', headers: {}, status: 200, contains: 'xxxx' },
      files: [{ name: 'ssi.shtml', content: PAGE }],
      modules: ['include'],
      directory: ['Options +Includes', 'AddType text/html .shtml', 'AddOutputFilter INCLUDES .shtml'],
    }),
    scenario({
      name: 'brotli',
      title: `${Math.round(TEXT.length / 1_024)} KiB of HTML, compressed by mod_brotli for each request`,
      ask: { path: '/text.html', headers: { 'Accept-Encoding': 'br' }, status: 200 },
      connections: 4,
      files: [{ name: 'text.html', content: TEXT }],
      modules: ['filter', 'brotli'],
      directory: ['AddOutputFilterByType BROTLI_COMPRESS text/html'],
    }),
    scenario({
      name: 'cached',
      title: '1 KiB from mod_cache_disk',
      ask: { path: '/small.html', headers: {}, status: 200, length: 1_024 },
      modules: ['cache', 'cache_disk'],
      server: ['CacheRoot "@ROOT@/logs"', 'CacheEnable disk "/"', 'CacheIgnoreNoLastMod On', 'CacheDefaultExpire 3600'],
    }),
    put('dav-put-1k', 'PUT of 1 KiB to a document of WebDAV', 1 << 10, 4),
    put('dav-put-100m', 'PUT of 100 MiB to a document of WebDAV', 100 * MIB, 1),
  ]
}

/** All requests replace the same document. */
function put(name, title, size, connections) {
  return scenario({
    name,
    title,
    ask: { path: '/dav/document', headers: {}, status: 204, method: 'PUT', size },
    connections,
    folders: ['dav'],
    files: [{ name: 'dav/document', content: 'x' }],
    modules: ['dav', 'dav_fs', 'dav_lock'],
    directory: ['Dav On'],
    server: ['DavLockDB "@ROOT@/logs/locks"', 'LimitRequestBody 0'],
  })
}

function scenario({ modules, directory = [], server = [], ...rest }) {
  const { path, method, size } = rest.ask
  return {
    visits: [{ path, headers: {}, method, size, from: '127.0.0.2', status: 403 }],
    httpd: { modules, server, directory: [...GATE.httpd.directory, ...directory] },
    ...rest,
  }
}
