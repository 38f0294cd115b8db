import t from 'tap'
import { bindFailureLines } from '../src/sockets/bind-messages.ts'

t.test('a port in use is reported as in httpd, followed by advice', (t) => {
  const address = { address: '127.0.0.1', port: 8200 }
  const [hint, ...rest] = bindFailureLines([{ address, listen: address, errno: 98 }]).reverse()
  t.strictSame(rest.reverse(), [
    '(98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:8200',
    'no listening sockets available, shutting down',
    'AH00015: Unable to open logs',
  ])
  t.match(hint, /^hint: Listen 127\.0\.0\.1:8200: another program uses port 8200/)
  t.end()
})

t.test('a port for all addresses is reported for both families', (t) => {
  const listen = { address: '*', port: 80 }
  const failures = ['::', '0.0.0.0'].map((address) => ({ address: { address, port: 80 }, listen, errno: 13 }))
  t.strictSame(bindFailureLines(failures).slice(0, 2), [
    '(13)Permission denied: AH00072: make_sock: could not bind to address [::]:80',
    '(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80',
  ])
  t.match(bindFailureLines(failures).at(-1) ?? '', /^hint: Listen 80: ports below 1024/)
  t.end()
})

t.test('a configuration without Listen lacks nothing but that', (t) => {
  t.strictSame(bindFailureLines([]).slice(0, 2), [
    'no listening sockets available, shutting down',
    'AH00015: Unable to open logs',
  ])
  t.match(bindFailureLines([]).at(-1) ?? '', /^hint: the configuration has no Listen line/)
  t.end()
})
