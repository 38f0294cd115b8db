/** Modules of httpd 2.2 that 2.4 does not have, without prefix and suffix, and what replaces them. */
const GONE: Readonly<Record<string, string>> = {
  authn_default: 'mod_authn_core denies what no module authenticates',
  authz_default: 'mod_authz_core denies what nothing grants',
  mem_cache: 'mod_cache_socache replaces it',
}

/** Why httpd 2.4 no longer has a module, or undefined. @param name without `mod_` and `_module`, in lower case */
export function goneModule(name: string): string | undefined {
  return Object.hasOwn(GONE, name) ? GONE[name] : undefined
}
