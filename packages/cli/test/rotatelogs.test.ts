import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { parseRotatelogsOptions, type RotatelogsOptions } from '../src/rotatelogs/options.ts'
import { RotatedLog } from '../src/rotatelogs/rotated-log.ts'
import { rotatelogs } from '../src/rotatelogs/rotatelogs.ts'
import { theirs } from './support/side-by-side.ts'

const skip = theirs('rotatelogs', [], '').status === null ? 'rotatelogs is not installed' : false

function optionsOf(...words: string[]): RotatelogsOptions {
  const options = parseRotatelogsOptions(words)
  if (typeof options === 'string') throw new Error(options)
  return options
}

/** A log in a folder, with a clock that only the test moves. */
class Trial {
  readonly folder: string
  readonly log: RotatedLog
  reported = ''
  /** Seconds since 1970. */
  now = 1_000_000_000

  constructor(folder: string, options: readonly string[], file: string, ...limits: string[]) {
    this.folder = folder
    const parsed = optionsOf(...options, join(folder, file), ...limits)
    this.log = new RotatedLog(
      parsed,
      (text) => {
        this.reported += text.replaceAll(`${folder}/`, '')
      },
      () => this.now * 1000,
    )
  }

  write(text: string): void {
    this.log.write(Buffer.from(text))
  }

  files(): Record<string, string> {
    const names = readdirSync(this.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(this.folder, name)).isFile(),
    )
    return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(this.folder, name), 'utf8')]))
  }
}

t.test('a new file begins at each multiple of the time, and is named after it', async (t) => {
  const trial = new Trial(t.testdir(), ['-v'], 'log', '3600')
  trial.write('a\n')
  trial.now += 799
  trial.write('b\n')
  trial.now += 1
  trial.write('c\n')
  trial.now += 3 * 3600
  trial.write('d\n')
  trial.log.close()
  t.strictSame(trial.files(), { 'log.0999997200': 'a\nb\n', 'log.1000000800': 'c\n', 'log.1000011600': 'd\n' })
  t.equal(
    trial.reported,
    [
      'File rotation needed, reason: Open a new file',
      'Opening file log.0999997200',
      'File rotation needed, reason: Time interval expired',
      'Opening file log.1000000800',
      'Closing file log.0999997200',
      'File rotation needed, reason: Time interval expired',
      'Opening file log.1000011600',
      'Closing file log.1000000800',
      '',
    ].join('\n'),
  )
})

t.test('names with conversions show the beginning of the interval, moved by the minutes from UTC', async (t) => {
  const trial = new Trial(t.testdir(), [], 'log.%Y-%m-%dT%H%M%S', '86400', '-120')
  trial.write('x\n')
  t.strictSame(Object.keys(trial.files()), ['log.2001-09-08T000000'])
  trial.now += 600
  trial.write('y\n')
  t.strictSame(Object.keys(trial.files()), ['log.2001-09-08T000000'], '23:56 there')
  trial.now += 900
  trial.write('z\n')
  t.strictSame(trial.files(), { 'log.2001-09-08T000000': 'x\ny\n', 'log.2001-09-09T000000': 'z\n' })
})

t.test('a line is never divided between two files', async (t) => {
  const trial = new Trial(t.testdir(), ['-n', '3'], 'log', '4B')
  trial.write('first ha')
  trial.write('lf')
  trial.write(', end\nsecond\n')
  trial.write('third\n')
  t.strictSame(trial.files(), { log: 'first half, end\n', 'log.1': 'second\n', 'log.2': 'third\n' })
  trial.write('fourth\n')
  t.equal(trial.files().log, 'fourth\n', 'the first file is used again, and emptied')
})

t.test('a file is truncated with -t always, and with -T except when it is the first one', async (t) => {
  const always = new Trial(t.testdir({ log: 'old\n' }), ['-t'], 'log', '60')
  always.write('a\n')
  t.strictSame(always.files(), { log: 'a\n' })
  always.now += 60
  always.write('b\n')
  t.strictSame(always.files(), { log: 'b\n' })
})

t.test('names that repeat are truncated with -T when they come again', async (t) => {
  const trial = new Trial(t.testdir({ 'log.46': 'old 46\n', 'log.47': 'old 47\n' }), ['-T'], 'log.%M', '60')
  trial.write('a\n')
  trial.now += 60
  trial.write('b\n')
  t.strictSame(trial.files(), { 'log.46': 'old 46\na\n', 'log.47': 'b\n' })
})

t.test('the link leads to the current file, and the folders of files are created', async (t) => {
  const folder = t.testdir()
  const trial = new Trial(folder, ['-D', '-L', join(folder, 'current')], 'sub/%M/log', '60')
  trial.write('a\n')
  t.strictSame(trial.files(), { current: 'a\n', 'sub/46/log': 'a\n' })
  trial.now += 60
  trial.write('b\n')
  t.strictSame(trial.files(), { current: 'b\n', 'sub/46/log': 'a\n', 'sub/47/log': 'b\n' })
  trial.log.open()
  t.strictSame(trial.files(), { current: 'b\n', 'sub/46/log': 'a\n', 'sub/47/log': 'b\n' }, 'also if it leads there already')
})

t.test('lines go to the former file while the next one cannot be opened, which is tried again', async (t) => {
  const folder = t.testdir({ 46: {} })
  const trial = new Trial(folder, [], '%M/log', '1B')
  trial.write('a\n')
  trial.now += 60
  trial.write('b\n')
  trial.write('c\n')
  t.strictSame(trial.files(), { '46/log': 'a\nb\nc\n' })
  t.equal(trial.reported, "Could not open log file '47/log' (No such file or directory)\n", 'once')
  trial.now += 10
  trial.write('d\n')
  t.match(trial.reported, /^(Could not open log file '47\/log' .*\n){2}$/)
  t.strictSame(trial.files(), { '46/log': 'a\nb\nc\nd\n' })
})

t.test('a link that cannot be made is reported, and the log continues', async (t) => {
  const folder = t.testdir()
  const trial = new Trial(folder, ['-L', join(folder, 'no/link')], 'log', '60')
  trial.write('a\n')
  t.equal(trial.reported, 'Error linking file log.0999999960 to no/link (No such file or directory)\n')
  t.strictSame(trial.files(), { 'log.0999999960': 'a\n' })
})

t.test('without a first file nothing can be written', async (t) => {
  const trial = new Trial(t.testdir(), [], 'no/log', '60')
  t.throws(() => trial.write('a\n'), { message: /No such file or directory/ })
})

/** Runs the program with an input. */
async function run(argv: readonly string[], input: string): Promise<{ status: number; out: string; err: string }> {
  const stream = new PassThrough()
  stream.end(Buffer.from(input, 'latin1'))
  const result = { status: -1, out: '', err: '' }
  result.status = await rotatelogs(argv, stream, {
    out: (text) => void (result.out += text),
    err: (text) => void (result.err += text),
  })
  return result
}

t.test('a program is started with the names of the new and the former file; one that is missing is reported', async (t) => {
  const folder = t.testdir({ 'log.1': '' })
  const wrong = await run(['-n', '2', '-p', join(folder, 'missing'), join(folder, 'log'), '1B'], 'a\n')
  t.equal(wrong.status, 0)
  t.match(wrong.err, /^$|^Could not spawn post-rotate process '.*missing': No such file or directory\n$/)
})

const WRONG: readonly (readonly string[])[] = [
  [],
  ['log'],
  ['a', '1', '2', '3', '4'],
  ['-h'],
  ['-L'],
  ['log', 'x'],
  ['log', '0'],
  ['log', '-5'],
  ['log', '1Mx'],
  ['log', '0B'],
  ['log', 'K'],
  ['log', '5K5K'],
  ['log', '1M', '2M'],
  ['log', '5', '6', '7'],
  ['-l', 'log', '5', '60'],
  ['-n', '0', 'log', '1B'],
  ['-n', 'x', 'log', '1B'],
  ['-n', '2', 'log%Y', '1B'],
]
t.test('a wrong command line has the status and the message of the real rotatelogs', { skip }, async (t) => {
  for (const words of WRONG) {
    const real = theirs('rotatelogs', words, '')
    const own = await run(words, '')
    const firstLine = (text: string): string => text.split('\n')[0].replace(/^\S*rotatelogs/, 'rotatelogs')
    t.strictSame([own.status, firstLine(own.err)], [real.status, firstLine(real.err)], words.join(' '))
    t.equal(/^Usage: /m.test(own.err), /^Usage: /m.test(real.err), `${words.join(' ')}: the usage`)
  }
})

/** Command lines whose files do not depend on the time; DIR/ is the folder. */
const ALIKE: readonly (readonly string[])[] = [
  ['-v', '-n', '3', 'DIR/log', '1M'],
  ['-v', '-t', 'DIR/log', '86400', '1G'],
  ['-v', '-l', '-f', '-e', '-D', 'DIR/new/log%%', '86400'],
  ['-v', '-c', '-T', '-L', 'DIR/link', '-n', '1', 'DIR/log', '864000000'],
  ['-v', 'DIR/none/log', '-t', '5'],
  ['-v', '-t', 'DIR/none/log', '5'],
  ['-v', '-n', '2x', 'DIR/log', '10Kx5K'],
  ['-v', '-n', '2', 'DIR/log', '5x', '-60'],
]
t.test('a command line has the output and the files of the real rotatelogs', { skip }, async (t) => {
  for (const [index, words] of ALIKE.entries()) {
    const folder = t.testdir({ ours: {}, theirs: {} })
    const [own, real] = ['ours', 'theirs'].map((side) => join(folder, side))
    const wordsIn = (side: string): string[] => words.map((word) => word.replace('DIR', side))
    const plain = (outcome: { status: number | null; out: string; err: string }, side: string): object => ({
      ...outcome,
      // The columns depend on the length of names, and the text about options is our own.
      err: outcome.err
        .replaceAll(`${side}/`, '')
        .replace(/: +/g, ': ')
        .replace(/^Usage: [\s\S]*/m, 'Usage'),
      files: readdirSync(side, { recursive: true, encoding: 'utf8' }).sort(),
    })
    const input = 'one\ntwo\n'
    const expected = plain(theirs('rotatelogs', wordsIn(real), input), real)
    t.strictSame(plain(await run(wordsIn(own), input), own), expected, `${index}: ${words.join(' ')}`)
  }
})
