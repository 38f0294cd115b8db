import { ConfigureError } from './configure-error.ts'
import type { HttpdLine } from './line-of-httpd.ts'

/** Options for configure itself, as opposed to the words about the server. */
export interface CommandOptions {
  readonly help: boolean
  readonly json: boolean
  /** A config.nice whose words come first. */
  readonly from: string | null
  /** --from-2.2, --from-2.4 */
  readonly line: HttpdLine | undefined
  /** The folder for config.nice and the result; null for build/. */
  readonly buildFolder: string | null
  /** All other words. */
  readonly words: readonly string[]
}

/** @throws ConfigureError if a value is missing */
export function parseOptions(argv: readonly string[]): CommandOptions {
  const words: string[] = []
  let help = false
  let json = false
  let from: string | null = null
  let line: HttpdLine | undefined
  let buildFolder: string | null = null
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]
    const value = (name: string): string => {
      const found = word === name ? argv[++at] : word.slice(name.length + 1)
      if (found === undefined || found === '') throw new ConfigureError(`missing argument to ${name}`, `write ${name}=FILE`)
      return found
    }
    const is = (name: string): boolean => word === name || word.startsWith(`${name}=`)
    if (word === '--help' || word === '-h') help = true
    else if (word === '--json') json = true
    else if (word === '--from-2.2') line = '2.2'
    else if (word === '--from-2.4') line = '2.4'
    else if (is('--from')) from = value('--from')
    else if (is('--build-dir')) buildFolder = value('--build-dir')
    else words.push(word)
  }
  return { help, json, from, line, buildFolder, words }
}

export const USAGE: string = `Usage: build/configure [OPTION]... [NAME=value]...
       build/configure --from FILE [OPTION]...

Decides what to build and where to install it, and records the command in build/config.nice; \`build/config.nice OPTION...\` repeats
it with additional options. Later options take precedence. Next step: build/install

Where
  --prefix=DIR                  [/usr/local/apache2]
  --enable-layout=NAME          Apache, GNU, opt, Debian, RedHat, or FILE:NAME in the form of httpd's config.layout [Apache]
  --bindir= --sbindir= --libdir= --libexecdir= --sysconfdir= --datadir= --htdocsdir= --includedir= --localstatedir=
  --logfiledir= --runtimedir= --installbuilddir= ...    individual folders, which override the layout
  --with-program-name=NAME      name of the server program and of its configuration file [httpd]

Modules
  --enable-modules=LIST         none, few, most, all or reallyall, and names, which become shared [most]
  --enable-mods-shared=LIST     the same; a word such as most makes shared the default kind
  --enable-mods-static=LIST     the same, compiled into the program: names, or with a word such as most, all
  --enable-NAME[=shared|static] one module, by its name without mod_, with - for _
  --disable-NAME                omits one module

The installed httpd.conf
  --with-port=PORT              [80]
  --with-sslport=PORT           [443]
  --enable-load-all-modules     loads every shared module, not only those of class few

  --from=FILE                   reads the options recorded in FILE by configure of httpd 2.2 or 2.4, or by this one; FILE is never executed.
                                Modules that this server does not provide are omitted and listed
  --from-2.2, --from-2.4        names the httpd that recorded FILE, if the options do not show it
  --build-dir=DIR               keeps config.nice and the result there [build/]
  --json                        prints the result as JSON

All other options of httpd's configure are accepted. Those without effect and unknown ones are listed.`
