import t from 'tap'
import { PAGE_SIZE, SdbmPage } from '../src/sdbm/page.ts'
import { bytes } from './support/dataset.ts'

/** A page with these numbers at its start, count first, and `#` elsewhere. */
function page(...numbers: number[]): Buffer {
  const content = Buffer.alloc(PAGE_SIZE, '#')
  for (const [index, number] of numbers.entries()) content.writeUInt16LE(number, 2 * index)
  return content
}

t.test('a page holds its records from the end downwards', async (t) => {
  const content = SdbmPage.empty()
  content.append(bytes('bob'), bytes('admins,staff'))
  content.append(bytes('alice'), bytes('staff'))
  t.equal(content.bytes.subarray(0, 12).toString('hex'), '0400fd03f103ec03e7030000', 'count and offsets')
  t.equal(content.bytes.subarray(999).toString('latin1'), 'staffaliceadmins,staffbob')
  t.equal(content.find(bytes('alice')), 1)
  t.equal(content.find(bytes('alic')), -1)
  t.equal(content.value(0).toString(), 'admins,staff')
  t.equal(SdbmPage.read(content.bytes)?.records, 2)
})

t.test('a page whose offsets make no sense is no page', async (t) => {
  t.equal(
    SdbmPage.read(page(2, 1021, 1009))
      ?.key(0)
      .toString(),
    '###',
    'one that makes sense',
  )
  const damaged: Record<string, Buffer> = {
    'an odd count': page(3, 1021, 1009, 1000),
    'a count beyond the page': page(1024, 1021, 1009),
    'a negative count': page(0xfffe, 1021, 1009),
    'a key behind the end': page(2, 1025, 1009),
    'a value above its key': page(2, 1009, 1021),
    'a key above the value before it': page(4, 1021, 1009, 1010, 1000),
    'a negative offset': page(2, 0xffff, 0xfffe),
    'a value in the table': page(2, 1021, 5),
    'a key in the table': page(2, 4, 2),
    'half a page': page(0).subarray(0, 512),
  }
  for (const [what, content] of Object.entries(damaged)) t.equal(SdbmPage.read(content), undefined, what)
})

t.test('a record fits if its bytes and two offsets do', async (t) => {
  const content = SdbmPage.empty()
  t.ok(content.fits(bytes('k'), Buffer.alloc(1017)))
  t.notOk(content.fits(bytes('k'), Buffer.alloc(1018)))
  content.append(bytes('k'), Buffer.alloc(1017))
  t.equal(SdbmPage.read(content.bytes)?.value(0).length, 1017)
  t.notOk(content.fits(bytes(''), Buffer.alloc(0)))
})
