import { sizeText } from '@gatewright/api/text'
import t from 'tap'
import { dateText } from '../src/date-text.ts'
import { cutDescription, descriptionLimit } from '../src/description.ts'
import { titleOf } from '../src/html-title.ts'
import { isHtml, mediaType } from '../src/html-type.ts'
import { SUPPRESS_ICON, SUPPRESS_LAST_MODIFIED, SUPPRESS_SIZE } from '../src/index-options.ts'
import { naturalOrder } from '../src/natural-order.ts'
import { isWildcard, matchesWildcard } from '../src/wildcard.ts'

t.test('a size takes four characters, with a tenth below ten units', async (t) => {
  const texts: readonly (readonly [number, string])[] = [
    [-1, '  - '],
    [0, '  0 '],
    [24, ' 24 '],
    [972, '972 '],
    [973, '1.0K'],
    [1024, '1.0K'],
    [1536, '1.5K'],
    [2050, '2.0K'],
    [9 * 1024 + 972, '9.9K'],
    [9 * 1024 + 973, ' 10K'],
    [9 * 1024 - 1, '9.0K'],
    [100 * 1024 + 512, '101K'],
    [972 * 1024, '972K'],
    [973 * 1024, '1.0M'],
    [3.3 * 1024 ** 2, '3.3M'],
    [5 * 1024 ** 3, '5.0G'],
    [7 * 1024 ** 5, '7.0P'],
  ]
  for (const [size, text] of texts) t.equal(sizeText(size), text, `${size}`)
})

t.test('a date is local time in either of two formats', async (t) => {
  const ms = new Date(2020, 0, 2, 3, 4, 5).getTime()
  t.equal(dateText(ms), '2020-01-02 03:04')
  t.equal(dateText(ms, 'old'), '02-Jan-2020 03:04')
})

t.test('numbers in names are compared by value, and digit by digit after a zero', async (t) => {
  const ordered = [
    'f-1.001',
    'f-1.002',
    'f-1.030',
    'f-1.04',
    'f-1.7',
    'f-1.7.2',
    'f-1.7.12',
    'f-1.8.2',
    'f-1.8.2a',
    'f-1.12',
    'f-2',
  ]
  for (let i = 1; i < ordered.length; i++) {
    t.equal(naturalOrder(ordered[i - 1], ordered[i], 'as-they-are'), -1, `${ordered[i - 1]} before ${ordered[i]}`)
    t.equal(naturalOrder(ordered[i], ordered[i - 1], 'as-they-are'), 1)
  }
  t.equal(naturalOrder('a 1', 'a1', 'as-they-are'), 0, 'white space does not count')
  t.equal(naturalOrder('A2', 'a10', 'folded'), -1)
  t.equal(naturalOrder('a2', 'A10', 'as-they-are'), 1)
  t.equal(naturalOrder('a', 'a1', 'as-they-are'), -1)
  t.equal(naturalOrder('12345', '12346', 'as-they-are'), -1)
  t.equal(naturalOrder('\xc3\xa4', 'a', 'as-they-are'), -1, 'bytes above 0x7f come first')
})

t.test('a wildcard matches the whole text, and brackets are ordinary characters', async (t) => {
  t.ok(matchesWildcard('/srv/a.txt', '*.txt'))
  t.ok(matchesWildcard('', '*'))
  t.ok(matchesWildcard('abc', 'a?c'))
  t.ok(matchesWildcard('aXbXc', 'a*b*c'))
  t.ok(matchesWildcard('[a]', '[a]'))
  t.notOk(matchesWildcard('a', '[a]'))
  t.notOk(matchesWildcard('a.txt2', '*.txt'))
  t.notOk(matchesWildcard('', '?'))
  t.notOk(matchesWildcard('ab', 'abc'))
  t.notOk(matchesWildcard('a'.repeat(5000), `${'a*'.repeat(50)}b`), 'and does not try every way')
  t.ok(isWildcard('*.x'))
  t.ok(isWildcard('a?'))
  t.notOk(isWildcard('[a]'))
})

t.test('a description is cut to its width; tags have no width, an entity counts as one character', async (t) => {
  const cut: readonly (readonly [string, number, string])[] = [
    ['short', 5, 'short'],
    ['longer', 5, 'long>'],
    ['<b>bold</b>', 4, '<b>bold</b>'],
    ['<b>bolder</b>', 4, '<b>bol>'],
    ['a&amp;b', 3, 'a&amp;b'],
    ['a&amp;bc', 3, 'a&amp;>'],
    ['a<never closed', 5, 'a<never closed'],
    ['a&never closed', 5, 'a&never closed'],
    ['anything', 0, ''],
  ]
  for (const [text, room, result] of cut) t.equal(cutDescription(text, room), result, `${text} in ${room}`)
})

t.test('suppressed columns leave their width to the description, unless that is configured', async (t) => {
  t.equal(descriptionLimit(undefined, 0), 23)
  t.equal(descriptionLimit(undefined, SUPPRESS_ICON | SUPPRESS_LAST_MODIFIED | SUPPRESS_SIZE), 55)
  t.equal(descriptionLimit({ characters: 30, fit: 'fixed' }, SUPPRESS_ICON), 30)
})

t.test('the title of a document is written on one line and ends at the next tag', async (t) => {
  t.equal(titleOf('<html><TITLE>\nTwo\r\nlines</title>'), 'Two  lines')
  t.equal(titleOf('<title>open'), 'open')
  t.equal(titleOf('<title></title>'), '')
  t.equal(titleOf('<p>none'), null)
})

t.test('parameters do not belong to a media type', async (t) => {
  t.equal(mediaType('text/html; charset=x'), 'text/html')
  t.equal(mediaType(null), null)
  t.ok(isHtml('TEXT/HTML;charset=x'))
  t.ok(isHtml('application/xhtml+xml'))
  t.notOk(isHtml('text/plain'))
  t.notOk(isHtml(null))
})
