/** The filters that responses pass, in order. */
export interface Chain {
  readonly names: readonly string[]
  /** True when chains of outer sections do not count. */
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
 * Changes a chain by a word of FilterChain: `+name` or `name` adds at the end, `@name` at the beginning, `-name` removes, `=name` is the only one from now on, `!` means
 * none. What is removed is what the same section added.
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

/** Filters of outer sections stand before those of inner ones. */
export function joinChains(base: Chain, over: Chain): MutableChain {
  return { names: over.isReset ? [...over.names] : [...base.names, ...over.names], isReset: over.isReset || base.isReset }
}
