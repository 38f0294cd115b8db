import { type AuthzProvider, listedWords } from '@gatewright/api'

/** `Require env NAME...`: one of the variables is set for the request, whatever its value. */
export const envProvider: AuthzProvider = {
  decidesBy: 'configuration',
  parse(argument, command) {
    const names = listedWords(argument, command)
    return (request) => {
      for (let index = 0; index < names.length; index++) if (request.env.has(names[index])) return 'granted'
      return 'denied'
    }
  },
}
