/** The longest time of a timer of Node (ms). */
export const LONGEST_TIMER: number = 2 ** 31 - 1
