import t from 'tap'
import { usage } from '../src/usage.ts'

t.test('the usage lists the options of httpd, a line each and in its order', (t) => {
  const letters = usage('httpd')
    .split('\n')
    .flatMap((line) => /^ {2}-([A-Za-z])/.exec(line)?.[1] ?? [])
  t.equal(letters.join(''), 'DdfCceEvVhlLttStMttTX')
  t.end()
})

t.test('the usage begins with the program and its summary', (t) => {
  t.strictSame(usage('prog').split('\n').slice(0, 2), [
    'Usage: prog [-D name] [-d directory] [-f file]',
    '            [-C "directive"] [-c "directive"]',
  ])
  t.end()
})

t.test('only the line of -h speaks of options', (t) => {
  t.strictSame(
    usage('httpd')
      .split('\n')
      .filter((line) => line.includes('option'))
      .map((line) => line.slice(0, 4)),
    ['  -h'],
  )
  t.end()
})
