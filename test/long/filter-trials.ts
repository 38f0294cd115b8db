import { brotliDecompressSync } from 'node:zlib'
import type { Trial } from './trial.ts'

/** A filter is applied to the files of htdocs below this path. */
export const filtered = (name: string, ...lines: readonly string[]): string[] => [
  `Alias /filtered-by-${name}/ @ROOT@/htdocs/`,
  `<Location /filtered-by-${name}/>`,
  ...lines,
  '</Location>',
]

/** Shows what becomes of `f` and a line feed. */
const shown = (name: string, body: string): Trial['shows'] => {
  return async (t, server) => {
    t.match(await server.get(`/filtered-by-${name}/f.txt`), { status: 200, body })
  }
}

/** The visible effect of each content filter. */
export const FILTERS: Readonly<Record<string, Trial>> = {
  brotli: {
    directive: 'BrotliCompressionQuality 1',
    config: filtered('brotli', 'SetOutputFilter BROTLI_COMPRESS'),
    async shows(t, server) {
      const { headers, body } = await server.get('/filtered-by-brotli/f.txt', { headers: { 'Accept-Encoding': 'br' } })
      t.equal(headers['content-encoding'], 'br')
      t.equal(brotliDecompressSync(Buffer.from(body, 'latin1')).toString(), 'f\n')
    },
  },
  ext_filter: {
    directive: 'ExtFilterDefine x cmd=/bin/cat',
    config: ['ExtFilterDefine upper cmd="/usr/bin/tr a-z A-Z"', ...filtered('ext_filter', 'SetOutputFilter upper')],
    shows: shown('ext_filter', 'F\n'),
  },
  file_cache: {
    directive: 'CacheFile htdocs/f.txt',
    config: ['CacheFile htdocs/f.txt'],
    async shows(t, server) {
      t.equal((await server.run('-t')).status, 0)
    },
  },
  include: {
    directive: 'SSITimeFormat %Y',
    config: filtered('include', 'Options Includes', 'SetOutputFilter INCLUDES', 'SSITimeFormat %Y'),
    async shows(t, server) {
      const { headers } = await server.get('/filtered-by-include/f.txt')
      t.notOk('last-modified' in headers)
    },
  },
  suexec: {
    missed: ['SuexecUserGroup www-data www-data', /Invalid command 'SuexecUserGroup'/],
    config: [],
    async shows(t, server) {
      t.equal((await server.run('-t')).status, 0)
    },
  },
  bucketeer: {
    config: filtered('bucketeer', 'SetOutputFilter BUCKETEER'),
    shows: shown('bucketeer', 'f\n'),
  },
  buffer: {
    directive: '<Location />\nBufferSize 10\n</Location>',
    config: filtered('buffer', 'SetOutputFilter BUFFER', 'BufferSize 10'),
    shows: shown('buffer', 'f\n'),
  },
  case_filter: {
    directive: 'CaseFilter Off',
    config: filtered('case', 'SetOutputFilter CaseFilter'),
    shows: shown('case', 'F\n'),
  },
  case_filter_in: {
    directive: 'CaseFilterIn Off',
    config: ['CaseFilterIn Off', ...filtered('case-in', 'SetInputFilter CaseFilterIn')],
    shows: shown('case-in', 'f\n'),
  },
  charset_lite: {
    directive: 'CharsetDefault UTF-8',
    config: filtered('charset', 'CharsetSourceEnc UTF-8', 'CharsetDefault UTF-16LE'),
    shows: shown('charset', 'f\0\n\0'),
  },
  data: {
    config: filtered('data', 'SetOutputFilter DATA'),
    shows: shown('data', 'data:text/from-the-table;base64,Zgo='),
  },
  proxy_html: {
    directive: 'ProxyHTMLExtended Off',
    config: filtered('html', 'SetOutputFilter proxy-html', 'SetEnv PROXY_HTML_FORCE 1', 'ProxyHTMLLinks a href'),
    shows: shown('html', '<html><body><p>f\n</p></body></html>'),
  },
  ratelimit: {
    config: filtered('rate', 'SetOutputFilter RATE_LIMIT', 'SetEnv rate-limit 100'),
    shows: shown('rate', 'f\n'),
  },
  reflector: {
    directive: 'ReflectorHeader X-One',
    config: ['<Location /reflected>', 'SetHandler reflector', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/reflected'), { status: 405 })
    },
  },
  sed: {
    directive: '<Location />\nOutputSed "s/a/b/"\n</Location>',
    config: filtered('sed', 'SetOutputFilter Sed', 'OutputSed "s/f/edited/"'),
    shows: shown('sed', 'edited\n'),
  },
  substitute: {
    directive: 'Substitute s/a/b/',
    config: filtered('substitute', 'SetOutputFilter SUBSTITUTE', 'Substitute s/f/replaced/'),
    shows: shown('substitute', 'replaced\n'),
  },
  xml2enc: {
    directive: 'xml2EncDefault UTF-8',
    config: filtered('xml2enc', 'SetOutputFilter xml2enc'),
    shows: shown('xml2enc', 'f\n'),
  },
}
