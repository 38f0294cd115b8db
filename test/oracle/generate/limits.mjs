// <Limit> and <LimitExcept> around other directives.
import { section } from '../tree.mjs'

const METHODS = ['GET', 'POST', 'GET POST', 'OPTIONS', 'PUT DELETE', 'HEAD', 'GET PUT', 'POST OPTIONS PATCH']

export function limited(rng, body) {
  const inner = rng.chance(0.08) ? [section('Limit', 'GET POST PUT', body)] : body
  if (inner !== body) return section('LimitExcept', 'POST', inner)
  return section(rng.pick(['Limit', 'Limit', 'LimitExcept']), rng.pick(METHODS), body)
}
