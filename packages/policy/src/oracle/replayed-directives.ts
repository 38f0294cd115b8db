/**
 * Modules whose directives decide about access, or about which rules apply to a request; proxies, programs
 * and handlers are excluded.
 */
export const REPLAYED_MODULES: ReadonlySet<string> = new Set(
  (
    'access_compat alias allowmethods auth_basic authn_anon authn_core authn_file authz_core authz_dbm authz_groupfile authz_host authz_owner authz_user ' +
    'dir rewrite setenvif'
  ).split(' '),
)

/** Directives of the core that do, in lower case. */
export const REPLAYED_CORE: ReadonlySet<string> = new Set(
  (
    'accessfilename allowoverride allowoverridelist documentroot errordocument mergeslashes options servername serveralias serverpath ' +
    '<directory <directorymatch <location <locationmatch <files <filesmatch <if <elseif <else <limit <limitexcept <virtualhost'
  ).split(' '),
)
