/** The filters that responses pass, in order. */
export interface Chain {
  readonly names: readonly string[]
  /** True when chains of outer sections do not count. */
  readonly isReset: boolean
}

export const EMPTY_CHAIN: Chain = { names: [], isReset: false }

/**
 * The chain after a word of FilterChain: `+name` or `name` adds at the end, `@name` at the beginning, `-name` removes, `=name` is the only one from now on, `!` means
 * none. What is removed is what the same section added.
 */
export function changeChain({ names, isReset }: Chain, word: string): Chain {
  const name = word.slice(1)
  switch (word[0]) {
    case '+':
      return { names: [...names, name], isReset }
    case '@':
      return { names: [name, ...names], isReset }
    case '-':
      return { names: names.filter((other) => other !== name), isReset }
    case '=':
      return { names: [name], isReset: true }
    case '!':
      return { names: [], isReset: true }
    default:
      return { names: [...names, word], isReset }
  }
}

/** Filters of outer sections stand before those of inner ones. */
export function joinChains(base: Chain, over: Chain): Chain {
  if (over.isReset) return over
  return { names: [...base.names, ...over.names], isReset: base.isReset }
}
