import t from 'tap'
import { changedDecisions, changedDecisionsMarkdown, changedDecisionsText, type Difference, NO_COLOURS } from '../src/index.ts'

function difference(target: string, before: number, after: number, client: string): Difference {
  const decided = (status: number) => ({ status, challenge: '', user: null, why: `because ${status}`, rules: [`/c:${status}`] })
  return {
    question: { method: 'GET', target, host: 'h', localAddress: '', localPort: 80, client, credentials: null, headers: [] },
    variables: [],
    byName: false,
    otherLogin: false,
    before: decided(before),
    after: decided(after),
  }
}

const CHANGES = changedDecisions([
  difference('/shut', 200, 403, '10.0.0.1'),
  difference('/x', 403, 401, '10.0.0.1'),
  difference('/open', 403, 200, '10.0.0.1'),
  difference('/open', 403, 200, '10.0.0.2'),
  difference('/bad', 200, 500, '10.0.0.1'),
])

t.test('requests of one place that change alike are one change, and the gravest come first', async (t) => {
  t.match(CHANGES, [
    { kind: 'opened', target: '/open', classes: 2, clients: ['10.0.0.1', '10.0.0.2'], users: [null] },
    { kind: 'broken', target: '/bad' },
    { kind: 'closed', target: '/shut' },
    { kind: 'other', target: '/x' },
  ])
  t.equal(CHANGES.length, 4)
})

t.test('the text has a title for each kind, and both reasons', async (t) => {
  const text = changedDecisionsText(CHANGES, NO_COLOURS)
  t.match(
    text,
    /^Now open\n {2}\/open: 403 -> 200 from 10\.0\.0\.1, 10\.0\.0\.2; without credentials\n {4}before: because 403 \(\/c:403\)\n/,
  )
  t.ok(text.indexOf('Now an error') < text.indexOf('Now refused'))
})

t.test('text of a configuration is no markup in Markdown', async (t) => {
  const text = changedDecisionsMarkdown(changedDecisions([difference('/a|b`<i>', 403, 200, '<b>')]))
  t.match(text, /### Now open \(1\)/)
  t.match(text, '`` GET /a\\|b`<i> ``')
  t.notMatch(text, 'from <b>')
  t.equal(changedDecisionsMarkdown([]), 'No decision about access changes.\n')
})
