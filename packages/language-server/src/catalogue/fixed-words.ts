import type { Catalogue } from './catalogue.ts'

/** Words that the core's directives take, by position; the last list counts for all further words. */
const CORE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  acceptpathinfo: [['On', 'Off', 'Default']],
  adddefaultcharset: [['On', 'Off', 'utf-8']],
  allowencodedslashes: [['On', 'Off', 'NoDecode']],
  allowoverride: [
    [
      'None',
      'All',
      'AuthConfig',
      'FileInfo',
      'Indexes',
      'Limit',
      'Options',
      'Nonfatal=All',
      'Nonfatal=Override',
      'Nonfatal=Unknown',
    ],
  ],
  authtype: [['Basic', 'Digest', 'Form', 'None']],
  deny: [['from'], ['all', 'env=']],
  allow: [['from'], ['all', 'env=']],
  fileetag: [['All', 'None', 'MTime', 'Size', 'INode', 'Digest']],
  hostnamelookups: [['On', 'Off', 'Double']],
  httpprotocoloptions: [['Strict', 'Unsafe', 'RegisteredMethods', 'LenientMethods', 'Allow0.9', 'Require1.0']],
  loglevel: [
    ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `trace${n}`)],
  ],
  options: [
    ['None', 'All', 'FollowSymLinks', 'SymLinksIfOwnerMatch', 'Indexes', 'MultiViews', 'ExecCGI', 'Includes', 'IncludesNOEXEC'],
  ],
  order: [['deny,allow', 'allow,deny', 'mutual-failure']],
  regexdefaultoptions: [['ICASE', 'EXTENDED', 'DOTALL', 'DOLLAR_ENDONLY', 'none']],
  satisfy: [['All', 'Any']],
  serversignature: [['On', 'Off', 'EMail']],
  servertokens: [['Prod', 'Major', 'Minor', 'Min', 'OS', 'Full']],
  sethandler: [
    ['None', 'server-status', 'server-info', 'cgi-script', 'default-handler', 'send-as-is', 'type-map', 'proxy:fcgi://'],
  ],
  traceenable: [['On', 'Off', 'extended']],
  usecanonicalname: [['On', 'Off', 'DNS']],
}

/** Directives whose words may have `+` or `-` in front. */
export const SIGNED: ReadonlySet<string> = new Set(['options', 'indexoptions', 'ssloptions', 'sslprotocol'])

/** The words that a directive's manual fixes for an argument. @param index of the argument, from 0 */
export function fixedWords(catalogue: Catalogue, directive: string, index: number): readonly string[] {
  const name = directive.toLowerCase()
  const own = CORE[name]
  if (own !== undefined) return own[Math.min(index, own.length - 1)] ?? []
  const words = new Set<string>()
  for (const { syntax } of catalogue.manual(name))
    for (const form of syntax) for (const word of wordsOfForm(form, index)) words.add(word)
  if (words.size === 0 && index === 0 && catalogue.find(name).some((entry) => entry.arguments === 'flag')) return ['On', 'Off']
  return [...words]
}

/** Alternatives of one argument in a form such as `Order deny,allow|allow,deny`. */
function wordsOfForm(form: string, index: number): string[] {
  const [, ...tokens] = form.replace(/[<>]/g, ' ').trim().split(/\s+/)
  const isRepeated = tokens.at(-1)?.includes('...') === true
  const token = tokens[isRepeated ? Math.min(index, tokens.length - 1) : index] ?? ''
  const bare = token.replace(/^[[{("]+|[\])}".]+$/g, '')
  if (!bare.includes('|') && !token.startsWith('[')) return []
  // Words in capitals stand for what a person chooses.
  return bare.split('|').filter((word) => /^[A-Za-z][\w,.+-]*$/.test(word) && word !== word.toUpperCase())
}
