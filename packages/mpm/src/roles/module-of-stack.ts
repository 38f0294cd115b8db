/** Short name of the module whose file is the first of a stack that belongs to one: below `modules/`, or named `mod_NAME.mjs`. Undefined when none does. */
export function moduleOfStack(stack: string): string | undefined {
  const found = /\/(?:modules\/)?mod_(\w+)(?:\.mjs|\/(?:src|dist)\/)|\/modules\/([\w-]+)\.mjs/.exec(stack)
  return found?.[1] ?? found?.[2]
}
