import t from 'tap'
import { parseTemplate } from '../src/template.ts'

/** Literal texts unchanged, references as `{kind what}`. */
function shape(source: string): string[] {
  return parseTemplate(source).parts.map((part) => {
    if (typeof part === 'string') return part
    if (part.kind === 'reference') return `{${part.to} ${part.group}}`
    if (part.kind === 'variable') return '{variable}'
    return `{${part.map} of ${part.key.source}${part.otherwise === null ? '' : ` else ${part.otherwise.source}`}}`
  })
}

t.test('references are distinguished from similar text', (t) => {
  const table: readonly (readonly [source: string, parts: readonly string[]])[] = [
    ['', []],
    ['/plain', ['/plain']],
    ['/a/$1/%2?$0', ['/a/', '{rule 1}', '/', '{condition 2}', '?', '{rule 0}']],
    ['$10', ['{rule 1}', '0']],
    ['%{REQUEST_URI}x', ['{variable}', 'x']],
    ['cost$ 5%', ['cost$ 5%']],
    ['%{open', ['%{open']],
    ['a\\$1\\%2\\\\', ['a$1%2\\']],
    ['trailing\\', ['trailing\\']],
  ]
  for (const [source, parts] of table) t.strictSame(shape(source), parts, source)
  t.end()
})

t.test('maps may be used in keys and defaults of maps', (t) => {
  t.strictSame(shape('${m:$1|none}'), ['{m of $1 else none}'])
  t.strictSame(shape('${m:$1|}'), ['{m of $1}'])
  t.strictSame(shape('${a:${b:x|y}|${c:z}}'), ['{a of ${b:x|y} else ${c:z}}'])
  t.strictSame(shape('${nokey}'), ['${nokey}'], 'without a colon it is text')
  t.end()
})

t.test('the value of a text without references is known at once', (t) => {
  t.equal(parseTemplate('/x\\%20y').constant, '/x%20y')
  t.equal(parseTemplate('').constant, '')
  t.equal(parseTemplate('$1').constant, null)
  t.end()
})
