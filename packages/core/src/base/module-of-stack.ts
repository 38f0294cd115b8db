/**
 * Short name of the first module in a stack, recognized by its file: below `modules/`, or named
 * `mod_NAME.mjs`. Undefined if there is none.
 */
export function moduleOfStack(stack: string): string | undefined {
  const found = /\/(?:modules\/)?mod_(\w+)(?:\.mjs|\/(?:src|dist)\/)|\/modules\/([\w-]+)\.mjs/.exec(stack)
  return found?.[1] ?? found?.[2]
}
