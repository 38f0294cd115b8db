import t from 'tap'
import type { SuperviseTask } from '../src/roles/messages.ts'
import { isShown, reportLine } from '../src/start/config-report.ts'
import { isInFirstLog } from '../src/supervisor/first-log.ts'

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

t.test('the error log of a server repeats messages of its start as that of httpd does', (t) => {
  const begins = (
    code: string,
    level: 'warn' | 'notice',
    isAttached: boolean,
    startupLevel: 'warn' | 'error' = 'warn',
    isOfHost = false,
  ): boolean => {
    const task: SuperviseTask = {
      start: {
        program: '',
        modulesFolder: '',
        serverRoot: '/',
        configFile: 'c',
        defines: [],
        before: [],
        after: [],
        skipDocumentRootCheck: false,
      },
      commandLine: '',
      built: '',
      startupLevel,
      onlyOneWorker: false,
    }
    return isInFirstLog({ module: 'x', level, code, text: '', isOfHost }, { task, isAttached })
  }
  t.equal(begins('AH10510', 'notice', true), true, 'of directives, in the foreground')
  t.equal(begins('AH10510', 'notice', false), false, 'in the background, standard error is closed before directives are executed')
  t.equal(begins('AH00111', 'warn', false), true, 'of the lines that are read before')
  t.equal(begins('AH00111', 'warn', true, 'error'), false, 'below the level of the start')
  t.equal(begins('AH00558', 'warn', false), true, 'the names that the server has for itself')
  t.equal(begins('AH02532', 'warn', true, 'warn', true), false, 'of a virtual host, which does not have a log yet')
  t.equal(begins('AH10510', 'notice', true, 'warn', true), true, 'of a virtual host, but without a server')
  t.equal(begins('AH00548', 'warn', true), false, 'of the start-up class')
  t.end()
})
