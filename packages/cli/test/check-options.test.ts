import t from 'tap'
import { parseCheckOptions } from '../src/gatewright/check-options.ts'

t.test('the defaults are the current folder, its own expectations and a suitable format', async (t) => {
  t.match(parseCheckOptions([]), {
    subject: { kind: 'tree', folder: '.', allowOverride: 'All Nonfatal=Unknown' },
    wanted: 'results',
    expectations: null,
    logins: 'known',
    format: null,
    output: null,
    explained: false,
    linted: false,
    watched: false,
    colour: 'auto',
  })
})

t.test('options select the subject, the expectations and the destination of the report', async (t) => {
  t.match(parseCheckOptions(['--allow-override', 'None', '-D', 'A', '--define', 'B', '--format', 'junit', '-o', 'x', 'site']), {
    subject: { kind: 'tree', folder: 'site', allowOverride: 'None' },
    defines: ['A', 'B'],
    format: 'junit',
    output: 'x',
  })
  t.match(parseCheckOptions(['--config', 'a.conf', '-d', '/etc', '--expect', '-', '--lint', '--explain', '--logins', 'anyone']), {
    subject: { kind: 'server', configFile: 'a.conf', serverRoot: '/etc' },
    expectations: '-',
    linted: true,
    explained: true,
    logins: 'anyone',
  })
  t.match(parseCheckOptions(['--matrix']), { wanted: 'matrix' })
  t.match(parseCheckOptions(['--write-expectations', '--watch']), { wanted: 'snapshot', watched: true })
  t.equal(parseCheckOptions(['-h', 'a', 'b']), 'help')
})

t.test('contradictory options are reported', async (t) => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['a', 'b'], /one folder/],
    [['--config', 'x', 'a'], /--config and a folder exclude each other/],
    [['--root', 'x', 'a'], /--config and a folder exclude each other/],
    [['--config', 'x', '--allow-override', 'All'], /--allow-override requires a folder/],
    [['--matrix', '--write-expectations'], /not both/],
    [['--logins', 'some'], /known or anyone, not some/],
    [['--format', 'xml'], /human, tap, junit, json, not xml/],
    [['--color', 'red'], /auto, always or never, not red/],
    [['--watch', '--expect', '-'], /not possible for standard input/],
    [['--watch', '-o', 'x'], /--watch and --output exclude/],
    [['--nonsense'], /nonsense/],
  ]
  for (const [argv, complaint] of wrong) t.match(parseCheckOptions(argv), { complaint }, argv.join(' '))
})
