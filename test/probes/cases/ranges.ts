import { ALPHABET, LETTERS, request } from '../message.ts'
import type { AnswerPattern, Level, Probe } from '../probe.ts'

const WHOLE: AnswerPattern = { status: [200], body: ALPHABET, fields: { 'content-range': null } }

/** RFC 9110 sections 13.1.5 and 14. A server may always send the whole, unless a probe is about nothing else. */
export const RANGES: readonly Probe[] = [
  single('first', 'SHOULD', 'the first octets', '0-4', 'abcde', '0-4'),
  single('one', 'SHOULD', 'a single octet', '25-25', 'z', '25-25'),
  single('open', 'SHOULD', 'all from an octet on', '20-', 'uvwxyz', '20-25'),
  single('suffix', 'SHOULD', 'the last octets', '-3', 'xyz', '23-25'),
  single('clipped', 'SHOULD', 'a range that ends beyond the end', '20-100', 'uvwxyz', '20-25'),
  single('suffix-clipped', 'SHOULD', 'a suffix longer than the file', '-100', ALPHABET, '0-25'),
  {
    id: 'range/fields',
    section: '9110 15.3.7',
    level: 'MUST',
    title: '206 has Date and the ETag that 200 would have',
    sends: [request(`GET ${LETTERS}`, 'Range: bytes=0-4')],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [206], fields: { date: /GMT$/, etag: /^"/ } }] }, { answers: [WHOLE] }],
  },
  get('unit-case', '14.1', 'MUST', 'names of units are case-insensitive', ['Range: Bytes=0-4'], part('abcde', '0-4'), WHOLE),
  get('unknown-unit', '14.2', 'MUST', 'a unit that is not known is ignored', ['Range: lines=0-4'], WHOLE),
  get(
    'no-range',
    '14.2',
    'MUST',
    'what is no list of ranges is not answered with a part',
    ['Range: bytes=a-b'],
    WHOLE,
    refused(),
  ),
  get('backwards', '14.1.1', 'MUST', 'a range that ends before it begins is invalid', ['Range: bytes=5-2'], WHOLE, refused()),
  get(
    'overflow',
    '14.1.1',
    'MUST',
    'a position beyond 64 bits does not overflow',
    ['Range: bytes=18446744073709551616-18446744073709551620'],
    WHOLE,
    refused(),
  ),
  get(
    'overflow-end',
    '14.1.2',
    'MUST',
    'an end beyond 64 bits is beyond the end',
    ['Range: bytes=20-18446744073709551620'],
    part('uvwxyz', '20-25'),
    WHOLE,
  ),
  get('unsatisfiable', '14.2', 'SHOULD', 'a range behind the end is answered 416', ['Range: bytes=26-'], refused()),
  get('unsatisfiable-length', '14.4', 'SHOULD', '416 tells the length', ['Range: bytes=26-'], {
    status: [416],
    fields: { 'content-range': /^bytes \*\/26$/ },
  }),
  get(
    'several',
    '15.3.7.2',
    'MUST',
    'several ranges are sent in parts that tell their places',
    ['Range: bytes=0-1,5-6'],
    parts(/ab[\s\S]*fg/),
    WHOLE,
  ),
  get(
    'several-out-of-order',
    '15.3.7.2',
    'MUST',
    'ranges in another order as well',
    ['Range: bytes=5-6,0-1'],
    parts(/fg[\s\S]*ab|ab[\s\S]*fg/),
    WHOLE,
  ),
  get(
    'overlapping',
    '15.3.7.2',
    'SHOULD',
    'ranges that overlap are joined',
    ['Range: bytes=0-5,3-8'],
    part('abcdefghi', '0-8'),
    WHOLE,
  ),
  get(
    'one-of-two',
    '15.3.7.1',
    'MUST',
    'of two ranges the one that can be satisfied is sent',
    ['Range: bytes=0-1,100-'],
    part('ab', '0-1'),
    parts(/ab/),
    WHOLE,
  ),
  get(
    'many-small',
    '14.2',
    'SHOULD',
    'very many ranges are not sent in very many parts',
    [`Range: bytes=${Array.from({ length: 500 }, (_, i) => `${i % 26}-${i % 26}`).join()}`],
    WHOLE,
    refused(),
    part(ALPHABET, '0-25'),
  ),
  {
    id: 'range/head',
    section: '9110 14.2',
    level: 'MUST',
    title: 'Range is for GET: HEAD ignores it',
    sends: [request(`HEAD ${LETTERS}`, 'Range: bytes=0-4')],
    methods: ['HEAD'],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [200], fields: { 'content-range': null }, holds: 'sameLength' }], fate: 'open' }],
  },
  {
    id: 'range/post',
    section: '9110 14.2',
    level: 'MUST',
    title: 'Range is for GET: POST ignores it',
    sends: [request(`POST ${LETTERS}`, 'Range: bytes=0-4', 'Content-Length: 0')],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [200, 405], fields: { 'content-range': null } }], fate: 'open' }],
  },
  {
    id: 'range/not-found',
    section: '9110 14.2',
    level: 'MUST',
    title: 'an error page is not sent in ranges',
    sends: [request('GET /nowhere', 'Range: bytes=0-4')],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [404], fields: { 'content-range': null } }], fate: 'open' }],
  },
  {
    id: 'range/empty-file',
    section: '9110 14.2',
    level: 'MUST',
    title: 'there is no range of an empty file',
    sends: [request('GET /empty.txt', 'Range: bytes=0-4')],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [200], body: '' }], fate: 'open' }, { answers: [refused()] }],
  },
  ifRange('tag', 'SHOULD', 'the tag of the file keeps the range', '{{etag}}', part('abcde', '0-4')),
  ifRange('date', 'SHOULD', 'the date of the file keeps the range', '{{modified}}', part('abcde', '0-4')),
  ifRange('other-tag', 'MUST', 'another tag drops the range', '"other"', WHOLE),
  ifRange('weak-tag', 'MUST', 'a weak tag drops the range', 'W/{{etag}}', WHOLE),
  ifRange('older-date', 'MUST', 'another date drops the range', 'Sun, 06 Nov 1994 08:49:37 GMT', WHOLE),
  ifRange(
    'later-date',
    'MUST',
    'a date must be the very same: a later one drops the range',
    'Mon, 01 Jan 2035 00:00:00 GMT',
    WHOLE,
  ),
  ifRange('bad', 'MUST', 'what is neither tag nor date drops the range', 'yesterday', WHOLE),
  get('if-range/alone', '13.1.5', 'MUST', 'If-Range without Range is ignored', ['If-Range: "other"'], WHOLE),
  get(
    'none-match',
    '13.2.2',
    'MUST',
    'conditions come before ranges: If-None-Match',
    ['Range: bytes=0-4', 'If-None-Match: {{etag}}'],
    { status: [304] },
  ),
  {
    id: 'range/match',
    section: '9110 13.2.2',
    level: 'MUST',
    title: 'conditions come before ranges: If-Match',
    sends: [request(`GET ${LETTERS}`, 'Range: bytes=0-4', 'If-Match: "other"')],
    needs: 'ranges',
    outcomes: [{ answers: [{ status: [412] }] }],
  },
]

function part(body: string, range: string): AnswerPattern {
  return { status: [206], body, fields: { 'content-range': new RegExp(`^bytes ${range}/26$`) } }
}

/** Each part has its place in the file; the whole has none. */
function parts(content: RegExp): AnswerPattern {
  return {
    status: [206],
    body: new RegExp(`^(?=[\\s\\S]*content-range: *bytes \\d+-\\d+/26\\r\\n)[\\s\\S]*${content.source}`, 'i'),
    fields: { 'content-type': /^multipart\/byteranges; *boundary=/, 'content-range': null },
  }
}

function refused(): AnswerPattern {
  return { status: [416, 400] }
}

function single(id: string, level: Level, title: string, range: string, body: string, told: string): Probe {
  return get(id, '14.2', level, `${title}: sent as one part`, [`Range: bytes=${range}`], part(body, told))
}

function ifRange(id: string, level: Level, title: string, value: string, answer: AnswerPattern): Probe {
  return get(`if-range/${id}`, '13.1.5', level, title, ['Range: bytes=0-4', `If-Range: ${value}`], answer)
}

function get(
  id: string,
  section: string,
  level: Level,
  title: string,
  fields: readonly string[],
  ...answers: readonly AnswerPattern[]
): Probe {
  return {
    id: id.includes('/') ? id : `range/${id}`,
    section: `9110 ${section}`,
    level,
    title,
    sends: [request(`GET ${LETTERS}`, ...fields)],
    needs: 'ranges',
    outcomes: answers.map((answer) => ({ answers: [answer], fate: 'open' })),
  }
}
