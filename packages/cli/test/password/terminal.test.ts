import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const MAIN = join(import.meta.dirname, '../../src/htpasswd/main.ts')
const noScript = spawnSync('script', ['--version']).error !== undefined && 'script(1) is not installed'

/**
 * Runs htpasswd at a separate terminal and types an answer to each prompt.
 * @returns the content of the screen
 */
async function atTerminal(
  folder: string,
  args: string,
  answers: readonly string[],
): Promise<{ status: unknown; screen: string }> {
  const node = `'${process.execPath}' --conditions=gatewright-source --disable-warning=ExperimentalWarning '${MAIN}'`
  const child = spawn('script', ['--quiet', '--return', '--command', `${node} ${args}`, '/dev/null'], { cwd: folder })
  const closed = once(child, 'close')
  let screen = ''
  let answered = 0
  child.stdout.on('data', (chunk) => {
    screen += chunk
    const asked = screen.split('password: ').length - 1
    while (answered < Math.min(asked, answers.length)) child.stdin.write(answers[answered++])
  })
  const [status] = await closed
  return { status, screen }
}

t.test('at a terminal passwords are asked for twice and shown never', { skip: noScript }, async (t) => {
  const folder = t.testdir()
  const { status, screen } = await atTerminal(folder, '-cs f u', ['hush\x7fh\r', 'hush\r'])
  t.equal(screen, 'New password: \r\nRe-type new password: \r\nAdding password for user u\r\n')
  t.equal(status, 0)
  t.equal(readFileSync(join(folder, 'f'), 'latin1'), 'u:{SHA}HyHjC/2o54DBcrn3W367/BjmyHk=\n')
})

t.test('Ctrl-C at a terminal ends it with status 4 and makes no file', { skip: noScript }, async (t) => {
  const folder = t.testdir()
  const { status, screen } = await atTerminal(folder, '-cs f u', ['hu\x03'])
  t.equal(screen, 'New password: \r\nInterrupted.\r\n')
  t.equal(status, 4)
  t.throws(() => readFileSync(join(folder, 'f')), { code: 'ENOENT' })
})
