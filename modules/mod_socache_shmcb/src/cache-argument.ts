/** Bytes of a cache without a size. */
export const DEFAULT_SIZE: number = 512 * 1024
const SMALLEST = 8192
const LARGEST = 4294967295

/** The size in `PATH(SIZE)` in bytes, or what is wrong with it. The path may be absent. */
export function sizeIn(argument: string): number | string {
  const open = argument.lastIndexOf('(')
  if (open < 0) return argument.endsWith(')') ? 'no opening parenthesis' : DEFAULT_SIZE
  if (!argument.endsWith(')')) return 'no closing parenthesis or cache size missing after pathname with parenthesis'
  const digits = argument.slice(open + 1, -1)
  if (!/^\s*[-+]?\d*$/.test(digits)) return 'cache size not numerical'
  const size = Number(digits)
  // httpd keeps it without sign.
  if (size < 0 || size >= LARGEST) return `size has to be < ${LARGEST} bytes on this platform`
  return size < SMALLEST ? `size has to be >= ${SMALLEST} bytes` : size
}
