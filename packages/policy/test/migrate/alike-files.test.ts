import t from 'tap'
import { alikeFiles } from '../../src/migrate/alike-files.ts'

const sorted = (found: ReturnType<typeof alikeFiles>): [string, readonly string[]][] =>
  [...found.members].sort(([a], [b]) => (a < b ? -1 : 1))

t.test('files of one text below the same files are of one kind', async (t) => {
  const found = alikeFiles(
    new Map([
      ['/s/.htaccess', 'root'],
      ['/s/a/.htaccess', 'x'],
      ['/s/b/deep/.htaccess', 'x'],
      ['/s/c/.htaccess', 'y'],
      ['/s/c/d/.htaccess', 'x'],
    ]),
    [],
  )
  t.strictSame(sorted(found), [
    ['/s/.htaccess', ['/s/.htaccess']],
    ['/s/a/.htaccess', ['/s/a/.htaccess', '/s/b/deep/.htaccess']],
    ['/s/c/.htaccess', ['/s/c/.htaccess']],
    ['/s/c/d/.htaccess', ['/s/c/d/.htaccess']],
  ])
  t.equal(found.texts.get('/s/a/.htaccess'), 'x')
})

t.test(
  'the one that stands for a kind lies below those that stand for the kinds above, if need be where no file is',
  async (t) => {
    const found = alikeFiles(
      new Map([
        ['/s/a/.htaccess', 'x'],
        ['/s/b/.htaccess', 'x'],
        ['/s/b/in/.htaccess', 'y'],
        ['/s/b/in/more/.htaccess', 'z'],
      ]),
      [],
    )
    const [[first], [second, members], [third]] = sorted(found)
    t.equal(first, '/s/a/.htaccess')
    t.match(second, /^\/s\/a\/gatewright-alike-\d+\/\.htaccess$/)
    t.strictSame(members, ['/s/b/in/.htaccess'])
    t.ok(third.startsWith(second.replace('.htaccess', 'gatewright-alike-')))
  },
)

t.test('folders around one with unreadable content are not merged with others', async (t) => {
  const texts = new Map(['/s/a', '/s/b', '/s/b/shut/in', '/s/c/in'].map((folder) => [`${folder}/.htaccess`, 'x']))
  const kinds = sorted(alikeFiles(texts, ['/s/b/shut'])).map(([, members]) => members)
  t.strictSame(kinds, [['/s/a/.htaccess', '/s/c/in/.htaccess'], ['/s/b/.htaccess'], ['/s/b/shut/in/.htaccess']])
})
