import t from 'tap'
import { isShown, reportLine } from '../src/start/config-report.ts'

t.test('a warning about the configuration is a line of the error log', (t) => {
  const line = reportLine({ module: 'core', level: 'warn', code: 'AH00111', text: 'Config variable X is not defined' })
  t.match(line, /^\[.*\d{4}\] \[core:warn\] \[pid \d+:tid \d+\] AH00111: Config variable X is not defined\n$/)
  t.end()
})

t.test('messages of the start-up class are bare', (t) => {
  t.equal(
    reportLine({ module: 'core', level: 'warn', code: 'AH00112', text: 'Warning: DocumentRoot [/x] does not exist' }),
    'AH00112: Warning: DocumentRoot [/x] does not exist\n',
  )
  t.end()
})

t.test('the level of the start decides what is shown, and notices always are', (t) => {
  const report = (level: 'error' | 'warn' | 'notice' | 'info') => ({ module: 'core', level, code: '', text: '' })
  t.equal(isShown(report('info'), 'warn'), false)
  t.equal(isShown(report('info'), 'debug'), true)
  t.equal(isShown(report('warn'), 'error'), false)
  t.equal(isShown(report('notice'), 'error'), true)
  t.end()
})
