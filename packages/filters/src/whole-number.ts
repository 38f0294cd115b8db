/** The number at the start of a text, as C's atoi parses it; 0 if there is none. */
export function wholeNumber(text: string): number {
  const number = Number.parseInt(text, 10)
  return Number.isNaN(number) ? 0 : number
}
