/** Inserts an item before the first that is to come later, or at the end. */
export function insertBefore<T>(items: T[], item: T, isLater: (other: T) => boolean): void {
  const later = items.findIndex(isLater)
  items.splice(later < 0 ? items.length : later, 0, item)
}
