import { basename } from 'node:path'
import { type DocumentItem, parseDocument } from '@gatewright/config'
import { DIRECTIVE_HOMES, isKnownModule } from '@gatewright/core'

/**
 * The modules of an installation that can affect a tree: loading all of them takes longer than all questions.
 * A module counts as needed if one of its own directives, its name, or a word by which other directives refer
 * to it appears anywhere in the texts. Modules of others always count, and all modules count
 * if words are assembled only at read time.
 * @param texts of the .htaccess files
 * @param moduleFiles paths of `mod_NAME.mjs`
 */
export function neededModules(texts: Iterable<string>, moduleFiles: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of texts) {
    if (text.includes('${') || /^\s*(?:<Macro|Use)\b/im.test(text)) return [...moduleFiles]
    gather(parseDocument(text).items, words)
  }
  return moduleFiles.filter((file) => {
    const name = basename(file).replace(/^mod_(.*)\.mjs$/, '$1')
    return !isKnownModule(name) || ALWAYS.has(name) || words.has(name) || (WORDS[name] ?? []).some((word) => words.has(word))
  })
}

/** These act without a directive: access control, index files, listings, types. */
const ALWAYS: ReadonlySet<string> = new Set(['authz_core', 'dir', 'autoindex', 'mime'])

const LDAP_WORDS: readonly string[] = [
  'ldap',
  'ldap-user',
  'ldap-group',
  'ldap-dn',
  'ldap-attribute',
  'ldap-filter',
  'ldap-search',
]
const CGI_WORDS: readonly string[] = [
  'cgi-script',
  'scriptlog',
  'scriptloglength',
  'scriptlogbuffer',
  'cgiscripttimeout',
  'cgidscripttimeout',
]

/** Names of handlers, filters, providers and options, in lower case, by the module that has them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  // A directive that httpd does not have.
  access_compat: ['accesscompatprecedence'],
  auth_basic: ['basic'],
  auth_bearer: ['bearer', 'claim'],
  auth_digest: ['digest'],
  // One of its directives is not httpd's.
  auth_form: ['form', 'form-login-handler', 'form-logout-handler', 'form-redirect-handler', 'authformlocationhosts'],
  auth_forward: ['forward'],
  auth_openidc: ['openid-connect', 'auth-openidc'],
  auth_request: ['auth-request'],
  authn_anon: ['anon'],
  authn_core: ['basic', 'digest'],
  authn_dbd: ['dbd'],
  authn_dbm: ['dbm'],
  authn_file: ['basic', 'digest', 'file'],
  authn_socache: ['socache'],
  authnz_ldap: LDAP_WORDS,
  authz_dbd: ['dbd-group', 'dbd-login', 'dbd-logout'],
  authz_dbm: ['dbm-group', 'dbm-file-group'],
  authz_groupfile: ['group', 'file-group'],
  authz_host: ['ip', 'host', 'local', 'forward-dns'],
  authz_owner: ['file-owner', 'file-group'],
  authz_user: ['user', 'valid-user'],
  // Both modules have directives of the same names.
  cgi: ['cgid', ...CGI_WORDS],
  cgid: ['cgi', ...CGI_WORDS],
  dav_fs: ['dav'],
  dbd: ['authn_dbd', 'authz_dbd', 'dbd-group', 'dbd-login', 'dbd-logout'],
  deflate: ['deflate', 'inflate'],
  filter: ['deflate', 'inflate'],
  // Both modules have a directive of the same name.
  heartmonitor: ['lbmethod_heartbeat'],
  info: ['server-info'],
  ldap: ['authnz_ldap', 'ldap-status', ...LDAP_WORDS],
  md: ['md-status'],
  negotiation: ['multiviews', 'type-map'],
  ssl: ['ssl-verify-client'],
  status: ['server-status'],
}

/**
 * Names of directives count as names of their modules, and so do `mod_NAME.c` and `NAME_module` in guards.
 */
function gather(items: readonly DocumentItem[], words: Set<string>): void {
  for (const item of items) {
    if (item.kind !== 'directive' && item.kind !== 'section') continue
    const name = item.name.toLowerCase()
    const home = DIRECTIVE_HOMES.get(item.kind === 'section' ? `<${name}` : name)?.module
    words.add(home ?? name)
    for (const [word] of item.text.toLowerCase().matchAll(/[\w-]+/g)) {
      words.add(word)
      words.add(word.replace(/^mod_|_module$/g, ''))
      // Expressions ask for `%{SSL_PROTOCOL}` and the like.
      if (word.startsWith('ssl_')) words.add('ssl')
      const named = DIRECTIVE_HOMES.get(word)?.module
      if (named !== undefined) words.add(named)
    }
    if (item.kind === 'section') gather(item.items, words)
  }
}
