import type { AuthzProvider } from '@gatewright/api'

/** `Require all granted` and `Require all denied`. */
export const allProvider: AuthzProvider = {
  decidesBy: 'configuration',
  parse(argument) {
    switch (argument.toLowerCase()) {
      case 'granted':
        return () => 'granted'
      case 'denied':
        return () => 'denied'
      default:
        return "Argument for 'Require all' must be 'granted' or 'denied'"
    }
  },
}
