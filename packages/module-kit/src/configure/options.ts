import { ConfigureError } from './configure-error.ts'
import type { HttpdLine } from './line-of-httpd.ts'

/** What is said to the program configure itself, apart from the words about the server. */
export interface CommandOptions {
  readonly help: boolean
  readonly json: boolean
  /** A config.nice whose words come first. */
  readonly from: string | null
  /** --from-2.2, --from-2.4 */
  readonly line: HttpdLine | undefined
  /** Where config.nice and the result are written; null for build/. */
  readonly buildFolder: string | null
  /** All other words. */
  readonly words: readonly string[]
}

/** @throws ConfigureError when a value is missing */
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

Decides what is built and where it is installed, and records the command in build/config.nice; \`build/config.nice OPTION...\` gives
it again with more. Later options win. Then: build/install

Where
  --prefix=DIR                  [/usr/local/apache2]
  --enable-layout=NAME          Apache, GNU, opt, Debian, RedHat, or FILE:NAME in the form of httpd's config.layout [Apache]
  --bindir= --sbindir= --libdir= --libexecdir= --sysconfdir= --datadir= --htdocsdir= --includedir= --localstatedir=
  --logfiledir= --runtimedir= --installbuilddir= ...    single folders, instead of the layout's
  --with-program-name=NAME      name of the server's program and its configuration file [httpd]

Modules
  --enable-modules=LIST         none, few, most, all, reallyall, and names, which become shared [most]
  --enable-mods-shared=LIST     the same; such a word makes shared the default kind
  --enable-mods-static=LIST     the same, compiled into the program: names, or with such a word all
  --enable-NAME[=shared|static] one module, by its name without mod_, with - for _
  --disable-NAME                leaves one out

The installed httpd.conf
  --with-port=PORT              [80]
  --with-sslport=PORT           [443]; there is no TLS yet
  --enable-load-all-modules     loads every shared module, not only what nearly everybody wants

  --from=FILE                   takes the options that configure of httpd 2.2 or 2.4, or this one, recorded in FILE; it is read, not run.
                                Modules that this server lacks are left out and told
  --from-2.2, --from-2.4        says which httpd recorded it, where the options do not
  --build-dir=DIR               keeps config.nice and the result there [build/]
  --json                        tells the outcome as JSON

All other options of httpd's configure are accepted. What has no meaning here, or is unknown, is listed.`
