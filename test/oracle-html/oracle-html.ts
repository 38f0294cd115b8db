// npm run oracle:html [-- --seed N --count M --show K] [--plants]: rewrites the same random documents with random directives of
// mod_proxy_html in Apache httpd and Gatewright, and reports every difference in status, type and body. With --plants, Gatewright
// gets other documents, and most must be found. Needs apache2 and a built dist/. Ends with a line `N passed, N failed`.
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { randomDirectives, randomDocument } from './document-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '600' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

const NO_ANSWER = 'no answer'

const random = new Random(Number(options.seed))
const site = new Site()
const port = await freePort()
const cases = Array.from({ length: Number(options.count) }, (_, index) => {
  const html = randomDocument(random)
  site.write(`t${index}/f.html`, html)
  site.write(`t${index}/planted.html`, html.replace(/<p|<b|x/, '<i>'))
  return { html, lines: randomDirectives(random), folder: `/t${index}` }
})

const running: Running[] = []
try {
  for (const contestant of contestantsWith(['proxy', 'xml2enc', 'proxy_html'])) {
    running.push(await start(contestant, site, port, configuration()))
  }
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function configuration(): string[] {
  return [
    'LogLevel crit',
    'SetEnv PROXY_HTML_FORCE 1',
    'ProxyHTMLEnable On',
    'ProxyHTMLLinks a href',
    'ProxyHTMLLinks img src',
    'ProxyHTMLLinks link href',
    'ProxyHTMLEvents onclick',
    ...cases.flatMap(({ lines, folder }) => [`<Location ${folder}>`, ...lines, '</Location>']),
  ]
}

async function compare(): Promise<void> {
  let failed = 0
  for (const { html, lines, folder } of cases) {
    const [theirs, ours] = await Promise.all(
      running.map(({ contestant: { name, address } }) =>
        visit(address, `${folder}/${options.plants && name === 'gatewright' ? 'planted' : 'f'}.html`),
      ),
    )
    if (theirs === ours) continue
    if (++failed > Number(options.show)) continue
    console.log(`--- ${lines.join(' | ')}\n    of ${JSON.stringify(html)}\n      httpd      ${theirs}\n      gatewright ${ours}`)
  }
  if (options.plants) {
    const found = failed > cases.length / 4
    console.log(`${failed} of ${cases.length} changed documents were found`)
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
      answer.on('error', () => resolve(NO_ANSWER))
      answer.on('end', () => resolve(`${answer.statusCode} ${answer.headers['content-type']} ${JSON.stringify(body)}`))
    })
    asked.on('error', () => resolve(NO_ANSWER))
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}
