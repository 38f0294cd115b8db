import t from 'tap'
import { failureStatus } from '../src/drive/failure-status.ts'

const URN = 'urn:ietf:params:acme:error:'

t.test('problems of a CA have the statuses that httpd gives them', async (t) => {
  t.strictSame(failureStatus(`${URN}unauthorized`), { code: 13, text: 'Permission denied' })
  t.equal(failureStatus(`${URN}malformed`).code, 22)
  t.equal(failureStatus(`${URN}rateLimited`).code, 70_013)
})

t.test('without a known problem, the status is that of any error', async (t) => {
  const general = { code: 20_014, text: 'Internal error (specific information not available)' }
  for (const problem of ['', `${URN}serverInternal`, `${URN}toString`, `${URN}unheard-of`])
    t.strictSame(failureStatus(problem), general)
})
