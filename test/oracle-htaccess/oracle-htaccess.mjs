// npm run oracle:htaccess -- DIR...: serves a site with its .htaccess files with Apache httpd and with dist/bin/httpd at
// the same time, and reports every difference between their answers (README.md). Ends with `N passed, N failed`, which
// counts requests.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bothSides, reasonNotToCompare } from '../oracle/sides.mjs'
import { answersOf } from './answers.mjs'
import { differencesOf } from './differences.mjs'
import { readOptions, USAGE } from './options.mjs'
import { readSite } from './site.mjs'

// At the end of this program its listeners end running servers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
process.exitCode = await main()

async function main() {
  let options
  let sites
  try {
    options = readOptions(process.argv.slice(2))
    sites = options.folders.map(readSite)
  } catch (error) {
    console.error(`oracle:htaccess: ${error.message}\n\n${USAGE}`)
    return 2
  }
  const reason = reasonNotToCompare()
  if (reason !== null) {
    console.error(`oracle:htaccess: cannot compare: ${reason}`)
    return 2
  }
  const { reference, ours } = bothSides({ ipv6: false })
  let [passed, failed] = [0, 0]
  for (const site of sites) {
    const differing = await compare(site, [reference, ours], options)
    for (const { request, differences } of differing) console.log(describe(site, request, differences))
    console.log(`${site.name}: ${site.requests.length} requests, ${differing.length} differ`)
    passed += site.requests.length - differing.length
    failed += differing.length
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}

async function compare(site, servers, options) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oracle-htaccess-')))
  try {
    const [theirs, ours] = await Promise.all(
      servers.map((server, index) => answersOf(site, { server, others: servers, root: join(root, String(index)), options })),
    )
    if (options.show) for (const [index, answer] of theirs.entries()) console.log(describeAnswer(site.requests[index], answer))
    return site.requests
      .map((request, index) => ({ request, differences: differencesOf(theirs[index], ours[index]) }))
      .filter(({ differences }) => differences.length > 0)
  } finally {
    if (options.keep) console.error(`kept ${root}`)
    else rmSync(root, { recursive: true, force: true })
  }
}

function describe({ name, file }, request, differences) {
  const lines = differences.map(
    ([field, expected, got]) => `    ${field}\n      httpd      ${show(expected)}\n      gatewright ${show(got)}`,
  )
  return [`--- ${name}: ${request.text.replaceAll('\n', ' | ')} (${file}:${request.line})`, ...lines].join('\n')
}

function describeAnswer(request, { line, fields, error = [] }) {
  const shown = ['location', 'content-type', 'x-env']
  const told = fields?.filter(([name]) => shown.includes(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`) ?? []
  return [
    `    ${request.text.replaceAll('\n', ' | ')}`,
    `      ${[line, ...told].join(' | ')}`,
    ...error.map((text) => `      ${text}`),
  ].join('\n')
}

function show(value) {
  return value === undefined ? '-' : JSON.stringify(value)
}
