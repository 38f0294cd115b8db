import { getopt } from '../getopt.ts'

/** A command line of apxs. */
export interface ApxsOptions {
  readonly generate: boolean
  readonly query: boolean
  readonly compile: boolean
  readonly install: boolean
  /** -e: edit the configuration, even if the module's file does not exist. */
  readonly edit: boolean
  /** --dev: serves the package of a folder, and again after every change; null if absent. */
  readonly dev: { readonly port: number; readonly debuggerPort: number } | null
  /** --upgrade: makes the mechanical changes to a module of the 2.2 line before it is compiled. */
  readonly upgrade: boolean
  /** --new-key: makes a pair of keys that sign modules. */
  readonly newKey: boolean
  /** --sign: signs modules with a key. */
  readonly sign: boolean
  /** --allow: capabilities that a package may declare and be installed nevertheless; `all` for any. */
  readonly allow: readonly string[]
  /**
   * What to do with the LoadModule line: -a, -A or neither. Both together mean a commented line, as in
   * httpd's apxs.
   */
  readonly line: 'active' | 'commented' | 'untouched'
  /** -v */
  readonly aligned: boolean
  /** -n, without `_module`; undefined if absent. */
  readonly name: string | undefined
  /** -o */
  readonly output: string | undefined
  /** -D words. */
  readonly defines: readonly string[]
  /** -S words. */
  readonly settings: readonly string[]
  /** Options that are meaningful only for a C compiler, as written. */
  readonly foreign: readonly string[]
  readonly words: readonly string[]
}

const LETTERS = 'qn:gco:I:D:L:l:W:S:eiaApv'
const FOREIGN = 'ILlWp'
const UPGRADE = '--upgrade'
const NEW_KEY = '--new-key'
const SIGN = '--sign'
const ALLOW = /^--allow=([a-z-]+(?:,[a-z-]+)*)$/
/** Words of `apxs --dev`, whose ports are 0 for any free one. */
const DEV = '--dev'
const DEV_PORTS = /^--(port|inspect)=(\d{1,5})$/

/** @returns the options, or the error in the command line */
export function parseApxsOptions(argv: readonly string[]): ApxsOptions | { readonly problem: string } {
  const isDev = argv.includes(DEV)
  const ports = new Map(
    (isDev ? argv : []).flatMap((word) => {
      const [, name, port] = DEV_PORTS.exec(word) ?? []
      return name === undefined ? [] : [[name, Number(port)] as const]
    }),
  )
  for (const [name, port] of ports) if (port > 65535) return { problem: `--${name} takes a port from 0 to 65535` }
  const { options, words } = getopt(
    argv.filter((word) => ![UPGRADE, DEV, NEW_KEY, SIGN].includes(word) && !ALLOW.test(word) && !(isDev && DEV_PORTS.test(word))),
    LETTERS,
  )
  const last = options.at(-1)
  if (last !== undefined && 'problem' in last) {
    return {
      problem:
        last.problem === 'unknown' ? `Unknown option: ${last.letter}` : `Incomplete option: ${last.letter} (needs an argument)`,
    }
  }
  const found = options.flatMap((option) => ('value' in option ? [option] : []))
  const has = (letter: string): boolean => found.some((option) => option.letter === letter)
  const all = (letter: string): readonly string[] => found.filter((option) => option.letter === letter).map(({ value }) => value)
  return {
    generate: has('g'),
    query: has('q'),
    compile: has('c'),
    install: has('i'),
    edit: has('e'),
    upgrade: argv.includes(UPGRADE),
    newKey: argv.includes(NEW_KEY),
    sign: argv.includes(SIGN),
    allow: argv.flatMap((word) => ALLOW.exec(word)?.[1].split(',') ?? []),
    dev: isDev ? { port: ports.get('port') ?? 0, debuggerPort: ports.get('inspect') ?? 0 } : null,
    line: has('A') ? 'commented' : has('a') ? 'active' : 'untouched',
    aligned: has('v'),
    name: all('n').at(-1),
    output: all('o').at(-1),
    defines: all('D'),
    settings: all('S'),
    foreign: found.filter(({ letter }) => FOREIGN.includes(letter)).map(({ letter, value }) => `-${letter}${value}`),
    words,
  }
}
