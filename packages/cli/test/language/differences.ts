/** A message that deliberately differs from httpd's. */
export interface Difference {
  readonly why: string
  readonly lines: readonly string[]
}

const unresolved = (name: string): Difference => ({
  why: 'the hosts file alone is asked, so there is no error of a resolver to tell',
  lines: [`[core:error] AH00547: Could not resolve host name ${name} -- ignoring!`, 'Syntax OK'],
})

export const DIFFERENCES: ReadonlyMap<string, Difference> = new Map([
  ['User root', { why: 'a warning at the start, for containers where nobody else exists', lines: ['Syntax OK'] }],
  ['<VirtualHost *:x>\nServerName h\n</VirtualHost>', unresolved('*:x')],
  ['<VirtualHost 127.0.0.1:>\nServerName h\n</VirtualHost>', unresolved('127.0.0.1:')],
  ['<VirtualHost ::1>\nServerName h\n</VirtualHost>', unresolved(':')],
])
