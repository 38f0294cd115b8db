import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formatNiceFile } from '../../src/configure/nice-text.ts'
import { readNiceFile } from '../../src/configure/read-nice-file.ts'
import { NICE_2_2, NICE_2_4 } from './recorded.ts'

t.test('config.nice has the form that httpd writes, to the byte', (t) => {
  t.equal(formatNiceFile(readNiceFile(NICE_2_4, 'config.nice')), NICE_2_4)
  t.equal(formatNiceFile(readNiceFile(NICE_2_2, 'config.nice')), NICE_2_2)
  t.end()
})

t.test('a shell that runs config.nice passes the recorded words and variables, and then additional words', (t) => {
  const folder = t.testdir()
  const words = ['--prefix=/a b', 'CFLAGS=-DX="y $z `w`" \\', "it's", '--x=*']
  const program = join(folder, 'print words')
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$CFLAGS" "$@"\n', { mode: 0o755 })
  const file = join(folder, 'config.nice')
  writeFileSync(file, formatNiceFile({ variables: [['CFLAGS', '-DX="$y"']], program, words }), { mode: 0o755 })
  const { stdout } = spawnSync(file, ['--more=1 2'], { encoding: 'utf8' })
  t.strictSame(stdout.trimEnd().split('\n'), ['-DX="$y"', ...words, '--more=1 2'])
  t.strictSame(readNiceFile(formatNiceFile({ variables: [], program, words }), 'x').words, words)
  t.end()
})

const COMMAND = '"./configure" \\\n"--prefix=/x" \\\n'

t.test('anything but what configure records is refused with its place', (t) => {
  const refused = (text: string, message: RegExp) =>
    t.throws(() => readNiceFile(text, 'old.nice'), { name: 'ConfigureError', message, hint: /parsed, never executed/ }, text)
  refused(`rm -rf /\n${COMMAND}"$@"\n`, /^old\.nice:1: /)
  refused(`#!/bin/sh\nCC="$(id)"; export CC\n${COMMAND}"$@"\n`, /^old\.nice:2: .*\$ and `/)
  refused(`CC="\`id\`"; export CC\n${COMMAND}"$@"\n`, /^old\.nice:1: .*\$ and `/)
  refused(`CC="gcc"; export CC; id\n${COMMAND}"$@"\n`, /^old\.nice:1: /)
  refused(`CC="gcc"; export CFLAGS\n${COMMAND}"$@"\n`, /^old\.nice:1: /)
  refused(`${COMMAND}"--x=$HOME" \\\n"$@"\n`, /^old\.nice:3: .*\$ and `/)
  refused(`${COMMAND}"--x" ; id\n`, /^old\.nice:3: /)
  refused(`${COMMAND}--unquoted \\\n"$@"\n`, /^old\.nice:3: /)
  refused(`${COMMAND}"$@"\nid\n`, /^old\.nice:4: nothing|^old\.nice:4: .*nothing may follow/)
  refused(`${COMMAND}"--last"\n`, /^old\.nice:3: .*"\$@" is missing/)
  refused(COMMAND, /"\$@" is missing/)
  refused('', /"\$@" is missing/)
  t.end()
})

const OF_PHP = [
  '--with-apxs2=/usr/bin/apxs2',
  '--enable-calendar',
  '--with-config-file-path=/etc',
  '--enable-fpm',
  '--with-mysqli',
]

for (const option of OF_PHP) {
  for (const before of [
    "'./configure' \\\n",
    '"./configure" \\\n',
    "CFLAGS='-O2' \\\nEXTENSION_DIR='/x' \\\n'./configure' \\\n",
  ]) {
    t.test(`the config.nice of PHP is refused by name: ${option} after ${JSON.stringify(before)}`, (t) => {
      const quote = before.at(before.indexOf('./configure') - 1)
      const word = `${quote}${option}${quote}`
      const text = `#! /bin/sh\n#\n# Created by configure\n\n${before}${word} \\\n"--enable-session" \\\n"$@"\n`
      t.throws(() => readNiceFile(text, 'config.nice'), {
        name: 'ConfigureError',
        message: `config.nice: configure of PHP, not of httpd, recorded this command: it contains ${option.replace(/=.*/, '')}`,
        hint: /^name the config\.nice of httpd/,
      })
      t.end()
    })
  }
}

t.test('an extension of PHP that was given to httpd by mistake does not make a command PHP’s', (t) => {
  const text = NICE_2_4.replace('"--enable-rewrite" \\\n', '"--enable-rewrite" \\\n"--enable-calendar" \\\n')
  t.ok(readNiceFile(text, 'config.nice').words.includes('--enable-calendar'))
  t.end()
})
