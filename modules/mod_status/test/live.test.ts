import { createHash } from 'node:crypto'
import t from 'tap'
import { liveScript } from '../browser/embed.ts'
import { CONTENT_SECURITY_POLICY, liveHead } from '../src/live.ts'
import { LIVE_SCRIPT } from '../src/live-script.ts'
import { summarize } from '../src/summary.ts'
import { fakeStatus, STARTED_AT } from './status.ts'

function head(serverName = 'host.test'): string {
  const status = fakeStatus()
  return liveHead({ status, summary: summarize(status, STARTED_AT), serverName, banner: 'Gatewright/0.1.0' })
}

t.test('the script was generated from the current scripts in browser/', async (t) => {
  t.ok((await liveScript()) === LIVE_SCRIPT, 'otherwise: node modules/mod_status/browser/embed.ts')
})

t.test('the policy of the page permits its style and its script by their digests, and nothing from other sources', async (t) => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(head())?.[1] ?? ''
  const script = /<script>([\s\S]*?)<\/script>/.exec(head())?.[1] ?? ''
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  t.match(CONTENT_SECURITY_POLICY, `style-src ${digest(style)};`)
  t.match(CONTENT_SECURITY_POLICY, `script-src ${digest(script)};`)
  t.match(CONTENT_SECURITY_POLICY, "default-src 'none';")
  t.notMatch(head(), /\b(?:src|href)=|url\(|@import/)
})

t.test('the server name sent by a client cannot end the element of the figures', async (t) => {
  const text = head('</script><script>alert(1)//<!--')
  t.equal(text.match(/<script/g)?.length, 2)
  const json = /id="status-json">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ''
  t.equal(JSON.parse(json).server.name, '</script><script>alert(1)//<!--')
})

t.test('the initial figures of the page contain no clients', async (t) => {
  t.notMatch(head(), 'manual/foo')
})
