import t from 'tap'
import { nameSettingsOf } from '../src/services/names/index.ts'

const settings = (text: string | undefined): unknown => nameSettingsOf({ GATEWRIGHT_NAME_SERVERS: text })

t.test("without the variable the system's resolver is used", async (t) => {
  t.same(settings(undefined), {})
  t.same(settings(''), {})
})

t.test('name servers of the loopback network are taken, with or without a port', async (t) => {
  t.same(settings('127.0.0.1:5353'), { servers: ['127.0.0.1:5353'] })
  t.same(settings('127.0.0.53,[::1]:65535,[::1]'), { servers: ['127.0.0.53', '[::1]:65535', '[::1]'] })
})

t.test('no other machine is accepted, and the message shows the valid form', async (t) => {
  for (const text of [
    '10.0.0.1:53',
    '8.8.8.8',
    '127.0.0.1:5353,10.0.0.1',
    'localhost:53',
    '[2001:db8::1]',
    '::1',
    '127.1',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:',
    '127.0.0.1.evil.example:53',
    '127.0.0.1 8.8.8.8',
    ',',
  ]) {
    t.match(
      settings(text),
      /^GATEWRIGHT_NAME_SERVERS: '.*' is not a name server on the loopback network\nhint: write GATEWRIGHT_NAME_SERVERS=127\.0\.0\.1:5353/,
      text,
    )
  }
})
