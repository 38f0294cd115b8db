import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../fixtures/find-program.ts'
import { freePort } from '../fixtures/free-port.ts'
import type { Application } from './application.ts'
import { Browser, type Page } from './browser.ts'
import { difference } from './comparison.ts'
import { DebianServer, SERVER_FOLDERS } from './debian-server.ts'
import { DOKUWIKI, DOKUWIKI_WITH_NICE_URLS } from './dokuwiki.ts'
import { MEDIAWIKI } from './mediawiki.ts'
import { PHPMYADMIN } from './phpmyadmin.ts'
import { RelocatedTree } from './relocated-tree.ts'
import { WORDPRESS } from './wordpress.ts'

const APPLICATIONS: readonly Application[] = [DOKUWIKI, DOKUWIKI_WITH_NICE_URLS, WORDPRESS, PHPMYADMIN, MEDIAWIKI]
const OWN = join(import.meta.dirname, '../../dist/bin/httpd')

/** npm run applications: sessions with applications of Debian, also on httpd. Arguments are parts of names of applications. */
async function main(words: readonly string[]): Promise<number> {
  const chosen = APPLICATIONS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word.toLowerCase())))
  if (chosen.length === 0) {
    const names = APPLICATIONS.map(({ name }) => name).join(', ')
    console.error(`applications: no application is called ${words.join(' or ')}\nhint: there are ${names}`)
    return 2
  }
  const httpd = findProgram('apache2')
  if (httpd === null || !existsSync('/usr/sbin/php-fpm8.2')) {
    console.log('skipped: apache2 and php8.2-fpm are not installed; apt-get install apache2 php8.2-fpm')
    console.log('0 passed, 0 failed')
    return 0
  }
  let [passed, failed] = [0, 0]
  for (const application of chosen) {
    if (!existsSync(application.file) || (application.needs !== undefined && !existsSync(application.needs))) {
      console.log(`skipped: ${application.name}: not installed; apt-get install ${application.packages.join(' ')}`)
      continue
    }
    console.log(`--- ${application.name}`)
    for (const [about, complaint] of await examine(application, httpd)) {
      if (complaint === null) passed++
      else failed++
      console.log(complaint === null ? `ok      ${about}` : `FAILED  ${about}: ${complaint}`)
    }
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** The same session on both servers, one after the other in the same place. @returns each step with what is wrong, or null */
async function examine(application: Application, httpd: string): Promise<readonly (readonly [string, string | null])[]> {
  const root = mkdtempSync(join(tmpdir(), 'applications-'))
  const port = await freePort()
  try {
    const theirs = await session(application, { root, port, program: httpd })
    const ours = await session(application, { root, port, program: OWN })
    return application.steps.map((step) => {
      const [reference, page] = [theirs.get(step.about), ours.get(step.about)]
      if (reference === undefined || page === undefined) return [step.about, 'no response']
      const wrong = complaintAbout(step, reference)
      if (wrong !== null) return [step.about, `on httpd: ${wrong}`]
      return [step.about, complaintAbout(step, page) ?? difference(reference, page, application.masks)]
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Place {
  readonly root: string
  readonly port: number
  readonly program: string
}

async function session(application: Application, { root, port, program }: Place): Promise<ReadonlyMap<string, Page>> {
  const tree = new RelocatedTree(root, [...SERVER_FOLDERS, ...application.folders], application.linked)
  tree.make()
  chmodSync(root, 0o755)
  const server = new DebianServer(tree)
  const browser = new Browser(port)
  const pages = new Map<string, Page>()
  try {
    server.listenOn(port)
    server.enableModules('proxy', 'proxy_fcgi', 'rewrite')
    server.enableConf('php8.2-fpm')
    await application.configure(tree, server, port)
    await server.startPhp()
    await server.start(program, port)
    for (const step of application.steps) pages.set(step.about, await step.visit(browser, pages))
  } finally {
    browser.close()
    await server.stop()
    await application.end?.()
  }
  return pages
}

function complaintAbout({ status, contains, lacks }: Application['steps'][number], page: Page): string | null {
  if (page.status !== status) return `status ${page.status}, not ${status}`
  const text = `${page.fields.location ?? ''}\n${page.body}`
  if (contains !== undefined && !text.includes(contains)) return `does not contain ${contains}`
  if (lacks !== undefined && text.includes(lacks)) return `contains ${lacks}`
  return null
}

process.exitCode = await main(process.argv.slice(2))
