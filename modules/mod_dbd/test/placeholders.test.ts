import t from 'tap'
import { readStatement } from '../src/placeholders.ts'
import { bindValues, byteRows } from '../src/values.ts'

t.test('placeholders become gaps between texts, with their types', async (t) => {
  const rows: [string, string[], string[]][] = [
    ['SELECT 1', ['SELECT 1'], []],
    ['WHERE a = %s AND b = %d', ['WHERE a = ', ' AND b = ', ''], ['text', 'integer']],
    ['%lld,%hhd,%u,%lf,%f', ['', ',', ',', ',', ',', ''], ['integer', 'integer', 'integer', 'number', 'number']],
    ['%pDt|%x|%pX', ['', '|', '|', 'X'], ['text', 'text', 'text']],
    ["LIKE '%%' || %s", ["LIKE '%' || ", ''], ['text']],
    ['100% of 5', ['100% of 5'], []],
    ['%', ['%'], []],
  ]
  for (const [source, texts, types] of rows) t.match(readStatement('x', source), { source, texts, types, quoted: 0 }, source)
})

t.test('a placeholder in quotation marks or a comment is none', async (t) => {
  const rows: [string, string[], number][] = [
    ["a = '%s'", ["a = '?'"], 1],
    ["a = '%s' AND b = %s", ["a = '?' AND b = ", ''], 1],
    ["a = 'it''s %s' AND b = %s", ["a = 'it''s ?' AND b = ", ''], 1],
    ['"%s" `%s` %s', ['"?" `?` ', ''], 2],
    ["-- it's %s\n%s", ["-- it's ?\n", ''], 1],
    ["/* ' %s */ %s", ["/* ' ? */ ", ''], 1],
    ['/*/ %s */ %s', ['/*/ ? */ ', ''], 1],
  ]
  for (const [source, texts, quoted] of rows) t.match(readStatement('x', source), { texts, quoted }, source)
})

t.test('values are bound as what they are, and never as text where a number is demanded', async (t) => {
  const statement = readStatement('x', '%s %d %f')
  t.strictSame(bindValues(statement, ['o\'neil"', '42', '1.5']), ['o\'neil"', 42n, 1.5])
  t.strictSame(bindValues(statement, ['x']), ['x', null, null], 'missing ones are NULL')
  t.strictSame(bindValues(statement, ['a', 7, 8n, 'further']), ['a', 7, 8n], 'there is no place for further ones')
  t.strictSame(bindValues(statement, ['j\u00c3\u00bcrgen']), ['j\u00fcrgen', null, null], 'UTF-8')
  t.strictSame(bindValues(statement, ['j\u00fc'])[0], Buffer.from([0x6a, 0xfc]), 'bytes that are no text stay bytes')
  for (const text of ['1 OR 1=1', '', '0x10', '1e9', '12345678901234567890', 'NaN']) {
    t.throws(() => bindValues(statement, ['a', text]), { name: 'UnsuitableValue' }, text)
  }
  t.throws(() => bindValues(statement, ['a', 1, '1.5.5']), { name: 'UnsuitableValue' })
})

t.test('rows are byte strings', async (t) => {
  const rows = byteRows({
    columns: ['n\u00e4me', 'x'],
    rows: [
      ['\u20ac', null],
      [Buffer.from([0xff]), ''],
    ],
  })
  t.strictSame(rows, {
    columns: ['n\u00c3\u00a4me', 'x'],
    rows: [
      ['\u00e2\u0082\u00ac', null],
      ['\u00ff', ''],
    ],
  })
})
