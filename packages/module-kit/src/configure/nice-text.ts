/** Variables that httpd's configure hands on by exporting them, where they are set. */
export const RECORDED_VARIABLES: readonly string[] = [
  'CC',
  'CFLAGS',
  'CPPFLAGS',
  'LDFLAGS',
  'LTFLAGS',
  'LIBS',
  'INCLUDES',
  'NOTEST_CFLAGS',
  'NOTEST_CPPFLAGS',
  'NOTEST_LDFLAGS',
  'NOTEST_LIBS',
]

/** What config.nice holds: a command line that can be given again. */
export interface NiceFile {
  /** Variables that are exported before, in their order. */
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** The program that is run. */
  readonly program: string
  /** Its words, without those that are added to the next run. */
  readonly words: readonly string[]
}

/** The text of config.nice, in httpd's form. Whoever runs it adds words, which come last and win. */
export function formatNiceFile({ variables, program, words }: NiceFile): string {
  return [
    '#! /bin/sh',
    '#',
    '# Created by configure',
    '',
    ...variables.map(([name, value]) => `${name}=${quoted(value)}; export ${name}`),
    ...[program, ...words].map((word) => `${quoted(word)} \\`),
    '"$@"',
    '',
  ].join('\n')
}

/** In double quotes, with what means something inside them escaped: httpd does not do the latter, and such words do not survive there. */
function quoted(word: string): string {
  return `"${word.replace(/["\\$`]/g, '\\$&')}"`
}
