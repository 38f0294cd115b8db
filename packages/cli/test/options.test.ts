import t from 'tap'
import { type HttpdOptions, parseOptions } from '../src/options.ts'

const run = (...argv: string[]): HttpdOptions => {
  const request = parseOptions(argv)
  if (request.kind !== 'run') throw new Error(`${argv.join(' ')} is ${JSON.stringify(request)}`)
  return request.options
}
const complaint = (...argv: string[]): string | null => {
  const request = parseOptions(argv)
  if (request.kind !== 'usage') throw new Error(`${argv.join(' ')} is ${JSON.stringify(request)}`)
  return request.complaint
}

t.test('--json belongs to -L and --lint', async (t) => {
  t.match(parseOptions(['-L', '--json']), { kind: 'run', options: { listDirectives: true, listAsData: true, lint: null } })
  t.match(parseOptions(['-t', '--lint', '--json']), { kind: 'run', options: { listAsData: false, lint: 'json' } })
  t.match(parseOptions(['-t', '--json']), { kind: 'usage', complaint: '--json requires -L or --lint' })
})

t.test('the argument of an option is in the same word or in the next', (t) => {
  t.strictSame(run('-DONE', '-D', 'TWO').defines, ['ONE', 'TWO'])
  t.equal(run('-f', 'a.conf', '-fb.conf').configFile, 'b.conf', 'the last one counts')
  t.strictSame([run('-C', 'A 1', '-C', 'B 2').before, run('-c', 'C 3').after], [['A 1', 'B 2'], ['C 3']])
  t.end()
})

t.test('options without argument may share a word', (t) => {
  const options = run('-tX')
  t.equal(options.checkOnly && options.onlyOneWorker, true)
  t.strictSame(run('-tDFOO').defines, ['FOO'])
  t.end()
})

t.test('--inspect takes a port, and only -X allows it', (t) => {
  t.equal(run('-X').inspectPort, null)
  t.equal(run('-X', '--inspect').inspectPort, 9229)
  t.equal(run('--inspect=0', '-X').inspectPort, 0)
  for (const words of [['--inspect'], ['-X', '--inspect=65536'], ['-X', '--inspect=1.2.3.4:9229']]) {
    t.match(parseOptions(words), { kind: 'usage', complaint: /^--inspect (requires -X|takes a port)/ }, words.join(' '))
  }
  t.end()
})

t.test('-S, -M and -X define what they are short for', (t) => {
  t.strictSame(run('-M', '-S').defines, ['DUMP_MODULES', 'DUMP_VHOSTS', 'DUMP_RUN_CFG'])
  t.strictSame(run('-X').defines, ['DEBUG'])
  t.end()
})

t.test('-v, -l and -h take effect immediately', (t) => {
  t.equal(parseOptions(['-v', '-Z']).kind, 'version')
  t.equal(parseOptions(['-l', '-v']).kind, 'compiled in')
  t.equal(complaint('-h', '-v'), null)
  t.equal(complaint('-Z', '-v'), 'illegal option -- Z')
  t.end()
})

t.test('errors are reported with the messages of getopt', (t) => {
  t.equal(complaint('-Z'), 'illegal option -- Z')
  t.equal(complaint('-:'), 'illegal option -- :')
  t.equal(complaint('-t', '-D'), 'option requires an argument -- D')
  t.equal(complaint('-t', 'stray'), null)
  t.equal(complaint('-t', '-'), null)
  t.equal(complaint('-e', 'loud'), null)
  t.equal(run('-t', '--').checkOnly, true)
  t.end()
})

t.test('-k knows five verbs, and only once', (t) => {
  t.equal(run('-k', 'graceful-stop').verb, 'graceful-stop')
  t.equal(run('-t').verb, null)
  for (const argv of [['-k'], ['-k', 'bogus'], ['-k', 'start', '-k', 'stop']]) t.equal(complaint(...argv), 'illegal option -- k')
  t.end()
})

t.test('-e accepts a level in any case', (t) => {
  t.equal(run('-e', 'Debug').startupLevel, 'debug')
  t.equal(run().startupLevel, 'warn')
  t.equal(complaint('-e', 'err'), null)
  t.end()
})

t.test('the command line is logged with one form per option and without -k', (t) => {
  t.equal(
    run('-DFOREGROUND', '-f', '/x.conf', '-c', 'ServerAdmin a@b', '-k', 'start', '-e', 'info').normalised,
    '-D FOREGROUND -f /x.conf -c ServerAdmin a@b -e info',
  )
  t.equal(run('-XT').normalised, '-X -T')
  t.end()
})
