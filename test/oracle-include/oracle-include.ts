// npm run oracle:include [-- --seed N --count M --show K] [--plants]: asks Apache httpd and Gatewright for random pages with
// elements of mod_include, and reports every difference in status, body, length, modification time, ETag and Accept-Ranges. With
// --plants, letters of the pages of Gatewright are changed, and at least a quarter of all pages must differ. Needs apache2 and a built dist/. Ends with a line
// `N passed, N failed`.
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { randomPage } from './page-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

const CONTESTANTS = contestantsWith(['include'])

const random = new Random(Number(options.seed))
const site = new Site()
const port = await freePort()
site.write('part.txt', 'part')
site.write('closed/x.txt', 'closed')
site.write('sub/index.html', 'index')
site.write('sub/inner.shtml', 'inner(<!--#echo var="QUERY_STRING" -->,<!--#echo var="A" -->)')
site.write('sub/sets.shtml', '<!--#set var="A" value="inner" -->set')
site.write('sub/shows.shtml', '<!--#echo var="DOCUMENT_NAME" -->,<!--#echo encoding="none" var="QUERY_STRING_UNESCAPED" -->')
const cases = Array.from({ length: Number(options.count) }, (_, index) => {
  const folder = random.percent(50) ? 'legacy' : 'modern'
  const name = `${folder}${index}.shtml`
  const page = randomPage(random)
  site.write(name, page)
  if (options.plants) site.write(`planted/${name}`, page.replaceAll('x', 'y'))
  return { name, page, path: `/${name}${random.pick(['', '', '?a=b&c=%20d'])}` }
})

const running: Running[] = []
try {
  for (const contestant of CONTESTANTS) running.push(await start(contestant, site, port, configuration()))
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function configuration(): string[] {
  return [
    'LogLevel crit',
    '<Directory "/">',
    'Options Includes',
    '</Directory>',
    '<Files "*.shtml">',
    'SetOutputFilter INCLUDES',
    'ForceType text/html',
    '</Files>',
    '<Files "legacy*">',
    'SSILegacyExprParser on',
    '</Files>',
    '<Location /closed>',
    'Require all denied',
    '</Location>',
    'SetEnv A x',
    'SetEnv F part.txt',
  ]
}

async function compare(): Promise<void> {
  let failed = 0
  for (const { page, path } of cases) {
    const [theirs, ours] = await Promise.all(
      running.map(({ contestant }) =>
        visit(contestant.address, options.plants && contestant.name === 'gatewright' ? `/planted${path}` : path),
      ),
    )
    if (theirs === ours) continue
    if (++failed > Number(options.show)) continue
    console.log(`--- ${path}\n    ${JSON.stringify(page)}\n      httpd      ${theirs}\n      gatewright ${ours}`)
  }
  if (options.plants) {
    const found = failed > cases.length / 4
    console.log(`${failed} of ${cases.length} changed pages were found`)
    console.log(found ? '1 passed, 0 failed' : '0 passed, 1 failed')
    process.exitCode = found ? 0 : 1
    return
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function visit(address: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: address, port, path, agent: false }, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (text: string) => (body += text))
      answer.on('error', () => resolve('no answer'))
      const {
        'content-length': length = '-',
        'last-modified': modified = '-',
        etag = '-',
        'accept-ranges': ranges = '-',
      } = answer.headers
      answer.on('end', () => resolve(`${answer.statusCode} ${length} ${modified} ${etag} ${ranges} ${JSON.stringify(body)}`))
    })
    asked.on('error', () => resolve('no answer'))
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}
