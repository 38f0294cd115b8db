/** Variables that httpd's configure passes on by exporting them, if they are set. */
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

/** The content of config.nice: a command line that can be repeated. */
export interface NiceFile {
  /** Variables to export before the command, in order. */
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** The program to run. */
  readonly program: string
  /** Its words, without those added for the next run. */
  readonly words: readonly string[]
}

/** The text of config.nice, in httpd's format. Words added when it is run come last and take precedence. */
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

/**
 * In double quotes, with the characters that are special inside them escaped. httpd does not escape them, so
 * such words do not survive in its config.nice.
 */
function quoted(word: string): string {
  return `"${word.replace(/["\\$`]/g, '\\$&')}"`
}
