import t from 'tap'
import { codingAcceptor } from '../src/accepts-coding.ts'

const acceptsGzip = codingAcceptor('gzip')

t.test('gzip is accepted if the list contains it', (t) => {
  for (const field of [
    'gzip',
    'GZIP',
    'deflate, gzip',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'gzip;level=9',
    'gzip;q=',
    'foo gzip',
    'gzip;q=0.1',
  ]) {
    t.ok(acceptsGzip(field), field)
  }
  t.end()
})

t.test('no other item than gzip is accepted', (t) => {
  for (const field of [
    undefined,
    '',
    '*',
    'deflate',
    'x-gzip',
    'gzipped',
    'notgzip',
    'identity',
    '"gzip"',
    'deflate;gzip',
    'br;x=gzip',
  ]) {
    t.notOk(acceptsGzip(field), field ?? 'no field')
  }
  t.end()
})

t.test('a quality of zero refuses gzip, in the first item and the first parameter', (t) => {
  for (const field of ['gzip;q=0', 'gzip; q=0', 'gzip ;q=0', 'gzip;q=0.0', 'gzip;q=0.', 'gzip;q=0.000', 'gzip;q=0,gzip']) {
    t.notOk(acceptsGzip(field), field)
  }
  for (const field of ['gzip;q=00', 'gzip;q=0.0000', 'gzip;Q=0', 'gzip;x=y;q=0', 'gzip,gzip;q=0']) t.ok(acceptsGzip(field), field)
  t.end()
})
