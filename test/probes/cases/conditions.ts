import { ALPHABET, LETTERS, request } from '../message.ts'
import type { AnswerPattern, Level, Probe } from '../probe.ts'

const WHOLE: AnswerPattern = { status: [200], body: ALPHABET }
const NOT_MODIFIED: AnswerPattern = { status: [304], body: '' }
const FAILED: AnswerPattern = { status: [412] }
const LONG_AGO = 'Sun, 06 Nov 1994 08:49:37 GMT'

/** RFC 9110 section 13: conditional requests, of a file whose validators are strong. */
export const CONDITIONS: readonly Probe[] = [
  get(
    'none-match/same',
    '13.1.2',
    'MUST',
    'a tag that the client has is answered 304',
    ['If-None-Match: {{etag}}'],
    NOT_MODIFIED,
  ),
  get('none-match/other', '13.1.2', 'MUST', 'another tag is answered 200', ['If-None-Match: "other"'], WHOLE),
  get('none-match/list', '13.1.2', 'MUST', 'one of several tags is enough', ['If-None-Match: "a", {{etag}}, "b"'], NOT_MODIFIED),
  get(
    'none-match/lines',
    '13.1.2',
    'MUST',
    'tags may stand in several lines',
    ['If-None-Match: "a"', 'If-None-Match: {{etag}}'],
    NOT_MODIFIED,
  ),
  get(
    'none-match/weak',
    '13.1.2',
    'MUST',
    'the comparison is weak: W/ makes no difference',
    ['If-None-Match: W/{{etag}}'],
    NOT_MODIFIED,
  ),
  get('none-match/star', '13.1.2', 'MUST', '* is whatever there is', ['If-None-Match: *'], NOT_MODIFIED),
  get(
    'none-match/wins',
    '13.1.3',
    'MUST',
    'beside If-None-Match, If-Modified-Since is ignored: the tag is the same, the date older',
    ['If-None-Match: {{etag}}', `If-Modified-Since: ${LONG_AGO}`],
    NOT_MODIFIED,
  ),
  get(
    'none-match/wins-other',
    '13.1.3',
    'MUST',
    'the same when the tag is another and the date the same',
    ['If-None-Match: "other"', 'If-Modified-Since: {{modified}}'],
    WHOLE,
  ),
  {
    id: 'none-match/head',
    section: '9110 13.1.2',
    level: 'MUST',
    title: 'HEAD is answered 304 as GET is',
    sends: [request(`HEAD ${LETTERS}`, 'If-None-Match: {{etag}}')],
    methods: ['HEAD'],
    needs: 'validators',
    outcomes: [{ answers: [NOT_MODIFIED], fate: 'open' }],
  },
  {
    id: 'none-match/post',
    section: '9110 13.1.2',
    level: 'MUST',
    title: 'another method is answered 412, if the method is allowed at all',
    sends: [request(`POST ${LETTERS}`, 'If-None-Match: {{etag}}', 'Content-Length: 0')],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [412, 405] }] }],
  },
  get(
    'modified/same',
    '13.1.3',
    'SHOULD',
    'the date of the file is answered 304',
    ['If-Modified-Since: {{modified}}'],
    NOT_MODIFIED,
  ),
  get('modified/older', '13.1.3', 'MUST', 'an older date is answered 200', [`If-Modified-Since: ${LONG_AGO}`], WHOLE),
  get('modified/bad', '13.1.3', 'MUST', 'what is no date is ignored', ['If-Modified-Since: yesterday'], WHOLE),
  get(
    'modified/bad-zone',
    '13.1.3',
    'MUST',
    'a date of another time zone is no date',
    ['If-Modified-Since: Mon, 01 Jan 2035 00:00:00 CEST'],
    WHOLE,
  ),
  {
    id: 'modified/post',
    section: '9110 13.1.3',
    level: 'MUST',
    title: 'If-Modified-Since is for GET and HEAD: other methods ignore it',
    sends: [request(`POST ${LETTERS}`, 'If-Modified-Since: {{modified}}', 'Content-Length: 0')],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [200, 405] }], fate: 'open' }],
  },
  get('match/same', '13.1.1', 'MUST', 'the tag that is asked for is answered 200', ['If-Match: {{etag}}'], WHOLE),
  get('match/star', '13.1.1', 'MUST', '* is whatever there is', ['If-Match: *'], WHOLE),
  get('match/other', '13.1.1', 'MUST', 'another tag is answered 412', ['If-Match: "other"'], FAILED),
  get('match/weak', '13.1.1', 'MUST', 'the comparison is strong: a weak tag never matches', ['If-Match: W/{{etag}}'], FAILED),
  get('match/list', '13.1.1', 'MUST', 'one of several tags is enough', ['If-Match: "a", {{etag}}'], WHOLE),
  get('unmodified/same', '13.1.4', 'MUST', 'the date of the file is answered 200', ['If-Unmodified-Since: {{modified}}'], WHOLE),
  get('unmodified/older', '13.1.4', 'MUST', 'an older date is answered 412', [`If-Unmodified-Since: ${LONG_AGO}`], FAILED),
  get('unmodified/bad', '13.1.4', 'MUST', 'what is no date is ignored', ['If-Unmodified-Since: yesterday'], WHOLE),
  get(
    'match/wins',
    '13.1.4',
    'MUST',
    'beside If-Match, If-Unmodified-Since is ignored',
    ['If-Match: {{etag}}', `If-Unmodified-Since: ${LONG_AGO}`],
    WHOLE,
  ),
  get(
    'condition/order',
    '13.2.2',
    'MUST',
    'If-Match is tested before If-None-Match',
    ['If-Match: "other"', 'If-None-Match: {{etag}}'],
    FAILED,
  ),
  missing('none-match', 'If-None-Match: "other"'),
  missing('match', 'If-Match: "other"'),
  missing('unmodified', `If-Unmodified-Since: ${LONG_AGO}`),
  date('rfc850', 'of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'),
  date('asctime', 'of asctime', 'Sun Nov  6 08:49:37 1994'),
  {
    id: 'not-modified/tag',
    section: '9110 15.4.5',
    level: 'MUST',
    title: '304 has the ETag that 200 would have',
    sends: [request(`GET ${LETTERS}`, 'If-None-Match: {{etag}}')],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [304], fields: { etag: /^(W\/)?"/ } }] }],
  },
  {
    id: 'not-modified/length',
    section: '9110 8.6',
    level: 'MUST',
    title: 'a Content-Length in 304 is that of 200',
    sends: [request(`GET ${LETTERS}`, 'If-None-Match: {{etag}}')],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [304], holds: 'sameLength' }], fate: 'open' }],
  },
  {
    id: 'not-modified/no-metadata',
    section: '9110 15.4.5',
    level: 'SHOULD',
    title: '304 does not repeat what the client has',
    sends: [request(`GET ${LETTERS}`, 'If-None-Match: {{etag}}')],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [304], fields: { 'content-type': null, 'content-encoding': null } }] }],
  },
]

function get(id: string, section: string, level: Level, title: string, fields: readonly string[], answer: AnswerPattern): Probe {
  return {
    id,
    section: `9110 ${section}`,
    level,
    title,
    sends: [request(`GET ${LETTERS}`, ...fields)],
    needs: 'validators',
    outcomes: [answer === FAILED ? { answers: [FAILED] } : { answers: [answer], fate: 'open' }],
  }
}

/** Conditions apply only to requests that would otherwise succeed. */
function missing(id: string, field: string): Probe {
  return {
    id: `condition/missing-${id}`,
    section: '9110 13.2.1',
    level: 'MUST',
    title: 'a condition of a request that fails anyway is ignored',
    sends: [request('GET /nowhere', field)],
    needs: 'validators',
    outcomes: [{ answers: [{ status: [404] }], fate: 'open' }],
  }
}

/** Told by a condition that an old date does not meet, and that no date would. */
function date(id: string, form: string, value: string): Probe {
  return {
    id: `date/${id}`,
    section: '9110 5.6.7',
    level: 'MUST',
    title: `dates in the form ${form} are understood, with years of two digits in the past`,
    sends: [request(`GET ${LETTERS}`, `If-Unmodified-Since: ${value}`)],
    needs: 'validators',
    outcomes: [{ answers: [FAILED] }],
  }
}
