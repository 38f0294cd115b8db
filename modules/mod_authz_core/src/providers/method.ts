import { type AuthzProvider, listedWords, MethodSet } from '@gatewright/api'

/** `Require method NAME...`: names are case-sensitive, and HEAD cannot be distinguished from GET. */
export const methodProvider: AuthzProvider = {
  decidesBy: 'configuration',
  parse(argument, command) {
    let methods = MethodSet.NONE
    for (const name of listedWords(argument, command)) {
      const number = command.services.methodNumber(name)
      if (number === undefined) return `Invalid Method '${name}'`
      methods = methods.with(number)
    }
    return (request) => (methods.has(request.methodNumber) ? 'granted' : 'denied')
  },
}
