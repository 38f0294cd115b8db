import { openSync, readdirSync, writeFileSync } from 'node:fs'
import { aprError, type OsError, osError, osErrorText, systemError } from '@gatewright/log'
import t from 'tap'

function failure(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

function textOf(error: OsError | undefined): string {
  return error === undefined ? 'none' : osErrorText(error)
}

t.test('system errors are worded as the C library words them', async (t) => {
  const rows: readonly (readonly [number, string])[] = [
    [2, '(2)No such file or directory'],
    [13, '(13)Permission denied'],
    [20, '(20)Not a directory'],
    [24, '(24)Too many open files'],
    [28, '(28)No space left on device'],
    [32, '(32)Broken pipe'],
    [36, '(36)File name too long'],
    [40, '(40)Too many levels of symbolic links'],
    [98, '(98)Address already in use'],
    [104, '(104)Connection reset by peer'],
    [110, '(110)Connection timed out'],
    [111, '(111)Connection refused'],
    [122, '(122)Disk quota exceeded'],
    [9999, '(9999)Unknown error 9999'],
  ]
  for (const [code, text] of rows) t.equal(osErrorText(systemError(code)), text)
  t.equal(osErrorText(aprError(70007)), '(70007)The timeout specified has expired')
  t.equal(osErrorText(aprError(70014)), '(70014)End of file found')
})

t.test('errors that Node throws give number and text', async (t) => {
  const directory = t.testdir({ file: '' })
  t.equal(textOf(osError(failure(() => openSync(`${directory}/none`, 'r')))), '(2)No such file or directory')
  t.equal(textOf(osError(failure(() => readdirSync(`${directory}/file`)))), '(20)Not a directory')
  t.equal(textOf(osError(failure(() => writeFileSync(directory, '')))), '(21)Is a directory')
  t.equal(textOf(osError(failure(() => writeFileSync('/dev/full', 'x')))), '(28)No space left on device')
})

t.test('failed lookups are resolver errors', async (t) => {
  t.same(osError(Object.assign(new Error('x'), { code: 'ENOTFOUND', errno: -3008 })), {
    code: 670002,
    text: 'Name or service not known',
  })
  t.equal(
    textOf(osError(Object.assign(new Error('x'), { code: 'EAI_AGAIN', errno: -3001 }))),
    '(EAI 3)Temporary failure in name resolution',
  )
  t.equal(textOf(osError(Object.assign(new Error('x'), { code: 'ETIMEOUT' }))), '(EAI 3)Temporary failure in name resolution')
})

t.test('what is no system error has none', async (t) => {
  t.equal(osError(new Error('x')), undefined)
  t.equal(osError(failure(() => openSync('a\0b', 'r'))), undefined)
  t.equal(osError(Object.assign(new Error('x'), { code: 'EOF', errno: -4095 })), undefined)
  t.equal(osError('ENOENT'), undefined)
  t.equal(osError(null), undefined)
})
