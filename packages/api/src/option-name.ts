/** The keywords of Options. */
export type OptionName =
  | 'Indexes'
  | 'Includes'
  | 'IncludesNOEXEC'
  | 'FollowSymLinks'
  | 'SymLinksIfOwnerMatch'
  | 'ExecCGI'
  | 'MultiViews'
