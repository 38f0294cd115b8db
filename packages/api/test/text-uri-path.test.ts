import t from 'tap'
import { escapeRelativeUri, escapeUriPath } from '../src/text/index.ts'

t.test('a path for Location is encoded in lower-case hexadecimal', async (t) => {
  t.equal(escapeUriPath('/sp ace'), '/sp%20ace')
  t.equal(escapeUriPath('w#?%.txt'), 'w%23%3f%25.txt')
  t.equal(escapeUriPath('sp <q>.txt'), 'sp%20%3cq%3e.txt')
  t.equal(escapeUriPath('/caf\xe9/'), '/caf%e9/')
  t.equal(escapeUriPath('/dir/index.html'), '/dir/index.html')
  t.equal(escapeUriPath('\u20ac/\xe9'), '%e2%82%ac/%c3%a9', 'a character above 0xff is taken as UTF-8')
})

t.test('exactly the bytes that httpd leaves alone stay', async (t) => {
  let plain = ''
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code)
    const escaped = escapeUriPath(character)
    if (escaped === character) plain += character
    else t.equal(escaped, `%${code.toString(16).padStart(2, '0')}`)
  }
  t.equal(plain, "!$&'()*+,-./0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
})

t.test('a relative reference with a colon in its first segment is not mistaken for a scheme', async (t) => {
  t.equal(escapeRelativeUri('a b:c/'), './a%20b:c/')
  t.equal(escapeRelativeUri(':x'), './:x')
  t.equal(escapeRelativeUri('a?b:c/'), './a%3fb:c/')
  t.equal(escapeRelativeUri('x/a:b'), 'x/a:b')
  t.equal(escapeRelativeUri('x y'), 'x%20y')
})
