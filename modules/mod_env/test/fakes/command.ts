import {
  type AnyDirective,
  type Command,
  type CommandError,
  type ConfigServices,
  MethodSet,
  type Pattern,
  type Problem,
  type SectionInfo,
  type SetResult,
} from '@gatewright/api'
import { emptyGroup } from './empty-group.ts'

/** Services with JavaScript patterns, and expressions defined in tables by their text. */
export function fakeServices(changes: Partial<ConfigServices> = {}): ConfigServices {
  return {
    pattern: fakePattern,
    shellPattern: (source) => ({ matches: (text) => text === source }),
    isShellPattern: () => false,
    condition: (source) =>
      source.startsWith('bad')
        ? { error: 'syntax error' }
        : { test: () => source === 'true', match: () => (source === 'true' ? [''] : null), mentions: new Set() },
    text: (source) =>
      source.startsWith('bad')
        ? { error: 'syntax error' }
        : { of: (request) => source.replace('%{REQUEST_URI}', request.uri), constant: undefined },
    methodNumber: () => undefined,
    moduleLoaded: () => true,
    httpdVersion: '2.4.71',
    providers: { authz: emptyGroup(), authn: emptyGroup(), outputFilters: emptyGroup(), inputFilters: emptyGroup() },
    readFile: () => new Error('no files here'),
    ...changes,
  }
}

export function fakePattern(source: string, flags: { readonly ignoreCase?: boolean } = {}): Pattern | { readonly error: string } {
  let regex: RegExp
  try {
    regex = new RegExp(source, flags.ignoreCase === true ? 'is' : 's')
  } catch {
    return { error: 'not understood' }
  }
  return {
    source,
    test: (text) => regex.test(text),
    match: (text) => regex.exec(text)?.map((group) => group ?? '') ?? null,
    search: (text) => {
      const found = regex.exec(text)
      return found === null ? null : { index: found.index, groups: found.map((group) => group ?? '') }
    },
    names: new Map(),
  }
}

/** Splits a line into words by the configuration's quoting rules. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const [, double, single, bare] of text.matchAll(/"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?|(\S+)/gs)) {
    if (double !== undefined) words.push(double.replace(/\\(["\\])/g, '$1'))
    else if (single !== undefined) words.push(single.replace(/\\(['\\])/g, '$1'))
    else words.push(bare.replaceAll('\\\\', '\\'))
  }
  return words
}

export interface FakeCommandOptions {
  readonly section: SectionInfo
  readonly services: ConfigServices
  readonly line: number
  readonly report: (line: string) => void
}

export function fakeCommand(name: string, text: string, { section, services, line, report }: FakeCommandOptions): Command {
  return {
    name,
    typedName: name,
    text,
    file: '/srv/conf/httpd.conf',
    line,
    server: section.server,
    section,
    services,
    container: section.kind === 'server' ? null : section.kind,
    inHtaccess: section.kind === '.htaccess',
    limited: MethodSet.ALL,
    words: splitWords,
    serverRelative: (path) => (path.startsWith('/') ? path : path === '.' ? '/srv' : `/srv/${path}`),
    report: (level, code, message) => report(`${level} ${code} ${message}`),
    insertLines: () => undefined,
    walk: () => undefined,
    walkThen: (_override, act) => act(),
    walkOverlay: () => ({ section }),
    sectionArgument: (argument) => ({ argument }),
  }
}

/** Calls a directive's setter with the words of a line, as the host does, without checking their number. */
export function applyLine(spec: AnyDirective, config: unknown, text: string, command: Command): SetResult {
  // A module's rows are called only with objects made by the module's own `create`.
  const own = config as never
  const words = splitWords(text)
  const [first = '', second, third] = words
  switch (spec.kind) {
    case 'noArgs':
      return setterOf(spec)(own, command)
    case 'take1':
      return setterOf(spec)(own, first, command)
    case 'take2':
      return setterOf(spec)(own, first, second ?? '', command)
    case 'take12':
      return setterOf(spec)(own, first, second, command)
    case 'take3':
      return setterOf(spec)(own, first, second ?? '', third ?? '', command)
    case 'take23':
      return setterOf(spec)(own, first, second ?? '', third, command)
    case 'take123':
    case 'take13':
      return setterOf(spec)(own, first, second, third, command)
    case 'iterate':
      return firstError(words, (word) => setterOf(spec)(own, word, command))
    case 'iterate2':
      return firstError(words.slice(1), (word) => setterOf(spec)(own, first, word, command))
    case 'flag':
      return setterOf(spec)(own, first.toLowerCase() === 'on', command)
    case 'argv':
      return setterOf(spec)(own, words, command)
    case 'raw':
    case 'section':
      return setterOf(spec)(own, text, command)
    case 'condition':
    case 'definition':
      return undefined
  }
}

function firstError(words: readonly string[], set: (word: string) => SetResult): SetResult {
  for (const word of words) {
    const error = set(word)
    if (error !== undefined) return error
  }
  return undefined
}

function setterOf<D, S>(spec: { readonly setDirectory: D } | { readonly setServer: S }): D | S {
  return 'setDirectory' in spec ? spec.setDirectory : spec.setServer
}

export function messageOf(result: string | Problem | CommandError): string {
  return typeof result === 'string' ? result : result.message
}
