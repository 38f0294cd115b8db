import t from 'tap'
import { readConninfo } from '../src/drivers/conninfo.ts'
import { readMysqlParams } from '../src/drivers/mysql-params.ts'

t.test('settings of libpq are read as libpq reads them', async (t) => {
  const rows: [string, Record<string, string>][] = [
    ['', {}],
    ['host=db  dbname = site', { host: 'db', dbname: 'site' }],
    ["password='a b\\'c\\\\' user=x", { password: "a b'c\\", user: 'x' }],
    ['password=a\\ b', { password: 'a b' }],
    ["password='' user=x", { password: '', user: 'x' }],
    ['client_encoding=UTF8', { client_encoding: 'UTF8' }],
    [
      'postgresql://www:p%40ss@db:5433/site?sslmode=require',
      { user: 'www', password: 'p@ss', host: 'db', port: '5433', dbname: 'site', sslmode: 'require' },
    ],
    ['postgres://db', { host: 'db' }],
  ]
  for (const [text, expected] of rows) t.strictSame(Object.fromEntries(readConninfo(text)), expected, text)
  t.throws(() => readConninfo('nosuch=1'), { message: 'invalid connection option "nosuch"' })
  t.throws(() => readConninfo('host'), { message: 'missing "=" after "host" in connection info string' })
  t.throws(() => readConninfo('=x'), { message: 'missing "=" after "" in connection info string' })
  t.throws(() => readConninfo("user='x"), { message: 'unterminated quoted string in connection info string' })
})

t.test('settings of MySQL end at blanks, commas, semicolons and bars', async (t) => {
  t.strictSame(readMysqlParams('host=db,user=www;pass=se-cret|dbname=site port = 3307'), {
    host: 'db',
    user: 'www',
    pass: 'se-cret',
    dbname: 'site',
    port: '3307',
  })
  t.strictSame(readMysqlParams('nosuch=1 flags=CLIENT_FOUND_ROWS'), { flags: 'CLIENT_FOUND_ROWS' })
  t.strictSame(readMysqlParams(''), {})
})
