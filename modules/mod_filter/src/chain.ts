/** The filters of responses, in order. */
export interface Chain {
  readonly names: readonly string[]
  /** Whether chains of outer sections are discarded. */
  readonly isReset: boolean
}

/** The chain of a section while its lines are read. */
export interface MutableChain extends Chain {
  names: string[]
  isReset: boolean
}

export function emptyChain(): MutableChain {
  return { names: [], isReset: false }
}

/**
 * Changes a chain by a word of FilterChain: `+name` or `name` adds at the end, `@name` at the beginning,
 * `-name` removes, `=name` replaces the whole chain, `!` empties it. Only filters that the same section added
 * can be removed.
 */
export function changeChain(chain: MutableChain, word: string): void {
  const name = word.slice(1)
  switch (word[0]) {
    case '+':
      chain.names.push(name)
      break
    case '@':
      chain.names.unshift(name)
      break
    case '-':
      chain.names = chain.names.filter((other) => other !== name)
      break
    case '=':
      chain.names = [name]
      chain.isReset = true
      break
    case '!':
      chain.names = []
      chain.isReset = true
      break
    default:
      chain.names.push(word)
  }
}

/** Joins chains: filters of outer sections come before those of inner ones. */
export function joinChains(base: Chain, over: Chain): MutableChain {
  return { names: over.isReset ? [...over.names] : [...base.names, ...over.names], isReset: over.isReset || base.isReset }
}
