import type { Random } from '../fixtures/random.ts'

/** A request of a case. */
export interface ContentRequest {
  readonly method?: string
  /** With the query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  /** The value of Host; @HOST@ and @PORT@ stand for those of the case, which are sent by default. */
  readonly host?: string
}

/** A virtual host with a folder of its own, and requests to it, which are sent in order. */
export interface ContentCase {
  /** Lines of the virtual host. */
  readonly server: readonly string[]
  /** Contents in latin1, by path in the document root. A path that ends in `/` is an empty folder. */
  readonly files: Readonly<Record<string, string>>
  readonly requests: readonly ContentRequest[]
}

/**
 * Generates the cases of one topic.
 * @param folder the document root
 */
export type Topic = (random: Random, folder: string) => ContentCase

/** Lines in a section or in the .htaccess file of a folder of the case. */
export function placed(
  random: Random,
  folder: string,
  lines: readonly string[],
): { readonly server: readonly string[]; readonly htaccess: readonly string[] } {
  const section = random.pick<readonly [string, string] | null>([
    null,
    null,
    [`<Directory ${folder}>`, '</Directory>'],
    ['<Location />', '</Location>'],
    ['<Files "*">', '</Files>'],
    ['<If "true">', '</If>'],
  ])
  if (section === null) return { server: [], htaccess: lines }
  const [begin, end] = section
  return { server: [begin, ...lines, end], htaccess: [] }
}

/** The files of a case with its .htaccess file, if it has lines. */
export function withHtaccess(files: Readonly<Record<string, string>>, htaccess: readonly string[]): Record<string, string> {
  return htaccess.length === 0 ? { ...files } : { ...files, '.htaccess': `${htaccess.join('\n')}\n` }
}

/** Some of the choices, each at most once, in random order. */
export function someOf<T>(random: Random, choices: readonly T[], least: number, most: number): T[] {
  const rest = [...choices]
  const taken: T[] = []
  const count = Math.min(rest.length, least + random.below(most - least + 1))
  while (taken.length < count) taken.push(...rest.splice(random.below(rest.length), 1))
  return taken
}
