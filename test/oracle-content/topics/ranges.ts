import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

/** Ranges and conditions, with limits, tags and compression. */
export function ranges(random: Random, folder: string): ContentCase {
  const here = placed(
    random,
    folder,
    random.several(0, 4, () => rule(random)),
  )
  const files = { 'f.txt': '0123456789'.repeat(3), 'big.html': '<p>line of a page</p>\n'.repeat(500), 'empty.txt': '' }
  return {
    server: here.server,
    files: withHtaccess(files, here.htaccess),
    requests: random.several(5, 10, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      target: random.pick(['/f.txt', '/f.txt', '/big.html', '/empty.txt', '/none']),
      headers: Object.fromEntries(
        someOf(
          random,
          [
            ['Range', range(random)],
            ['If-Range', random.pick(['"x"', 'Sat, 01 Jan 2000 00:00:00 GMT', '@MODIFIED@', '@TAG@', 'W/"x"', 'rubbish'])],
            ['If-None-Match', random.pick(['*', '@TAG@', '"x", @TAG@', 'W/@TAG@', '"x"', 'rubbish', '@TAG@-gzip'])],
            [
              'If-Modified-Since',
              random.pick(['@MODIFIED@', 'Sat, 01 Jan 2000 00:00:00 GMT', 'rubbish', 'Sat, 01 Jan 2060 00:00:00 GMT']),
            ],
            ['If-Match', random.pick(['*', '@TAG@', '"x"', 'W/@TAG@'])],
            ['If-Unmodified-Since', random.pick(['@MODIFIED@', 'Sat, 01 Jan 2000 00:00:00 GMT', 'rubbish'])],
            ['Accept-Encoding', random.pick(['gzip', 'br', 'gzip;q=0', 'gzip, br;q=0.9', '*', 'deflate'])],
            ['Cache-Control', 'no-cache'],
          ] as const,
          1,
          4,
        ),
      ),
    })),
  }
}

function range(random: Random): string {
  const one = (): string =>
    random.pick([
      '0-0',
      '0-4',
      '5-',
      '-3',
      '-0',
      '29-',
      '30-',
      '40-50',
      '0-100',
      '4-2',
      '',
      'x',
      '2-x',
      '10-19',
      '-100',
      '0-9999999999999999999',
    ])
  return (
    random.pick(['bytes=', 'bytes=', 'bytes=', 'bytes = ', 'items=', 'bytes:', 'BYTES=']) +
    random.several(1, 5, one).join(random.pick([',', ', ', ' ,']))
  )
}

function rule(random: Random): string {
  return random.pick([
    `MaxRanges ${random.pick(['none', 'default', 'unlimited', '1', '3'])}`,
    `MaxRangeOverlaps ${random.pick(['none', '1', 'unlimited', '0'])}`,
    `MaxRangeReversals ${random.pick(['none', '1', 'unlimited', '0'])}`,
    `FileETag ${random.pick(['None', 'Size', 'MTime', 'Digest', 'All'])}`,
    'SetOutputFilter DEFLATE',
    'AddOutputFilterByType DEFLATE text/html text/plain',
    'AddType text/plain .txt',
    `DeflateAlterETag ${random.pick(['AddSuffix', 'NoChange', 'Remove'])}`,
    'Header unset ETag',
    'Header set ETag "\\"own\\""',
    'Header unset Last-Modified',
    'Header set Accept-Ranges none',
    'RequestHeader unset Range',
    'Header set Cache-Control "no-transform"',
    'ExpiresActive On',
    'SetEnv no-gzip 1',
    'SetEnvIf Range . gzip-only-text/html',
    'FilterDeclare f CONTENT_SET\nFilterProvider f DEFLATE "%{CONTENT_TYPE} =~ /html/"\nFilterChain f',
  ])
}
