/** What an explanation without answers of other servers means. */
export const OFFLINE =
  'nobody was asked (--offline): users without a password in the question are logged in, other passwords are wrong, and rules that depend on an answer do not match, so the server may decide otherwise'
