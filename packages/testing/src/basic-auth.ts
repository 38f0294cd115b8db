/** Headers that log a user in by Basic authentication. */
export function basicAuth(user: string, password: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` }
}
