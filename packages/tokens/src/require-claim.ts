import { type AuthzProvider, type Command, claimSources, type ModuleHost, type Request } from '@gatewright/api'
import { claimValues } from './claims.ts'
import { isJsonObject, type JsonObject } from './fetch-json.ts'

/** `name:value` or `name~pattern`, the form of mod_auth_openidc. */
interface ClaimTest {
  readonly name: string
  readonly matches: (value: string) => boolean
}

/**
 * Registers `Require claim`, unless another module has: the first of those that know claims does so for all of them. A request
 * has the claims of the module whose AuthType has authenticated it.
 */
export function addRequireClaim<D, S>(host: Pick<ModuleHost<D, S>, 'providers'>): void {
  const { authz } = host.providers
  if (authz.get('claim') !== undefined) return
  const sources = host.providers.of(claimSources)
  const provider: AuthzProvider = {
    decidesBy: 'configuration',
    parse: (argument: string, command: Command) => {
      const rule = ruleOf(command.words(argument), command)
      if (typeof rule === 'string') return rule
      return (request) => {
        const found = claimsOf(request)
        if (found === undefined) return request.user === null ? 'denied-no-user' : 'denied'
        return rule(found.claims, found.form) ? 'granted' : 'denied'
      }
    },
  }
  authz.add('claim', provider)

  function claimsOf(request: Request): { readonly claims: JsonObject; readonly form: 'values' | 'pairs' } | undefined {
    for (const name of sources.names()) {
      const source = sources.get(name)
      const claims = source?.claims(request)
      if (source !== undefined && isJsonObject(claims)) return { claims, form: source.form }
    }
    return undefined
  }
}

type ClaimRule = (claims: JsonObject, form: 'values' | 'pairs') => boolean

/** A line of `claim:value` words, or of a claim and its values; where it could be both, the AuthType decides. */
function ruleOf(words: readonly string[], command: Command): ClaimRule | string {
  const [name, ...wanted] = words
  if (name === undefined || (wanted.length === 0 && !isPair(name))) {
    return 'Require claim needs a claim and values, or claim:value: Require claim scope read'
  }
  const values = new Set(wanted)
  const byValues = (claims: JsonObject): boolean => claimValues(claims, name).some((value) => values.has(value))
  if (!isPair(name)) return byValues
  const tests: ClaimTest[] = []
  for (const word of words.filter(isPair)) {
    const found = testsOf(word, command)
    if (typeof found === 'string') return found
    tests.push(...found)
  }
  const byPairs = (claims: JsonObject): boolean =>
    tests.some((test) => claimValues(claims, test.name, 'whole').some((value) => test.matches(value)))
  return (claims, form) => (form === 'pairs' || wanted.length === 0 ? byPairs(claims) : byValues(claims))
}

function isPair(word: string): boolean {
  return /.[:~]/.test(word)
}

/**
 * A word as tests: names of claims may contain colons and tildes, such as those that are URLs, so that any of them may be the
 * end of the name.
 */
function testsOf(word: string, { services }: Command): readonly ClaimTest[] | string {
  const tests: ClaimTest[] = []
  let fault = ''
  for (const { index } of word.matchAll(/(?<=.)[:~]/g)) {
    const name = word.slice(0, index)
    const rest = word.slice(index + 1)
    if (word[index] === ':') tests.push({ name, matches: (value) => value === rest })
    else {
      const pattern = services.pattern(rest)
      if ('error' in pattern) fault = `Require claim: cannot compile the pattern '${rest}': ${pattern.error}`
      else tests.push({ name, matches: (value) => pattern.test(value) })
    }
  }
  return fault === '' ? tests : fault
}
